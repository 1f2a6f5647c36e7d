// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/page/run_page.h"

namespace attn {

// The script of a page: plain JavaScript that loads nothing.
std::string_view page_script() {
  return R"js(
'use strict';
function showRun(root, data, takesKeys, words = {}) {
  // Translates a text into the language of the page. Each {} in the text is replaced by the next of the parts.
  const say = (english, ...parts) => (words[english] ?? english).replace(/\{\}/g, () => parts.shift());
  const views = {heatmap: say('Heatmap'), lines: say('Lines'), blocks: say('Blocks'), timeline: say('Timeline')};
  const s = {view: data.shown.view, request: data.shown.request, layer: data.shown.layer, head: data.shown.head,
             step: data.steps.length - 1, query: -1, key: 0, row: false, block: 0, event: 0, zoom: 1};
  if (data.shown.step) { const at = data.steps.findIndex(step => step.n === data.shown.step); if (at >= 0) s.step = at; }
  const make = (tag, parent, props) => { const e = Object.assign(document.createElement(tag), props || {}); parent.append(e); return e; };
  const color = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  const decoded = new Map();

  // --- the numbers ---
  const request = () => data.requests[s.request];
  const layerOf = () => request().layers && request().layers[s.layer];
  function weightsOf(layer, head) {
    const text = layer && layer.heads[head];
    if (!text) return null;
    if (!decoded.has(text)) {
      const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
      decoded.set(text, new Float32Array(bytes.buffer));
    }
    return decoded.get(text);
  }
  // The layers of an encoder come first; their queries and keys are its tokens, all computed with the prompt.
  const ofEncoder = layer => layer < data.encoderLayers;
  const layerName = layer => ofEncoder(layer) ? say('{} (encoder)', layer) : String(layer);
  function rowsNow() {
    const rows = layerOf() ? layerOf().rows : 0, computed = data.steps[s.step].computed[s.request] ?? 0;
    return ofEncoder(s.layer) ? (computed > 0 ? rows : 0) : Math.min(rows, computed);
  }
  function cell(q, k) {  // the weight of a cell; -1: masked, NaN: no number
    const layer = layerOf(), weights = weightsOf(layer, s.head);
    if (!weights) return NaN;
    if (layer.triangle) return k > q ? -1 : weights[q * (q + 1) / 2 + k];
    return weights[q * layer.keys + k];
  }
  const queryTexts = () => ofEncoder(s.layer) ? (request().encoder || []) : request().tokens;
  const keyTexts = () => layerOf() && layerOf().cross ? (request().encoder || []) : queryTexts();
  const keysNow = () => { const layer = layerOf(); return !layer ? 0 : layer.cross ? layer.keys : Math.min(layer.keys, rowsNow()); };
  const quoted = text => text === undefined ? '' : ' ' + say('“{}”', text.replace(/\n/g, '\u21b5'));
  function blocksNow() {
    const blocks = [];
    for (let i = 0; i <= s.step; ++i) for (const b of data.steps[i].blocks) blocks[b[0]] = b;
    return blocks;
  }
  function goTo(step) {  // the timeline follows: it selects the first span of the step
    s.step = Math.min(Math.max(0, step), data.steps.length - 1);
    const at = data.events.findIndex(e => e[1] >= data.steps[s.step].begin);
    if (at >= 0) s.event = at;
  }
  const ms = ns => (ns / 1e6).toFixed(3) + ' ms';

  // --- the elements ---
  const tabs = make('div', root, {className: 'bar'});
  tabs.setAttribute('role', 'tablist');
  for (const [name, title] of Object.entries(views)) {
    const button = make('button', tabs, {textContent: title, type: 'button', onclick: () => { s.view = name; draw(); canvas.focus(); }});
    button.dataset.view = name; button.setAttribute('role', 'tab');
  }
  const bar = make('div', root, {className: 'bar'});
  function choice(title, options, get, set) {
    const select = make('select', make('label', bar, {textContent: title + ' '}), {onchange: () => { set(+select.value); draw(); }});
    options.forEach((text, i) => make('option', select, {value: i, textContent: text}));
    return () => { select.value = get(); };
  }
  const refresh = [];
  if (data.requests.length > 1)
    refresh.push(choice(say('Request'), data.requests.map(r => r.name), () => s.request, i => { s.request = i; s.query = -1; }));
  const layers = Math.max(0, ...data.requests.map(r => r.layers ? r.layers.length : 0));
  const heads = Math.max(0, ...data.requests.map(r => r.layers && r.layers[0] ? r.layers[0].heads.length : 0));
  const numbers = n => Array.from({length: n}, (_, i) => String(i));
  if (layers > 1) refresh.push(choice(say('Layer'), numbers(layers).map((_, i) => layerName(i)), () => s.layer, i => { s.layer = i; }));
  if (heads > 1) refresh.push(choice(say('Head'), numbers(heads), () => s.head, i => { s.head = i; }));
  const stepLabel = make('label', bar, {textContent: say('Step') + ' '});
  const slider = make('input', stepLabel, {type: 'range', min: 0, max: data.steps.length - 1, oninput: () => { goTo(+slider.value); draw(); }});
  const stepText = make('span', stepLabel);
  const values = make('p', root, {className: 'values'});
  values.setAttribute('aria-live', 'polite');
  const frame = make('div', root, {className: 'view'});
  const canvas = make('canvas', frame, {tabIndex: 0});
  canvas.setAttribute('role', 'img');
  const keysLine = make('p', root, {className: 'keys'});
  for (const note of data.notes) make('p', root, {className: 'note', textContent: say(...note)});
  make('p', root, {className: 'note', textContent: say('Backend: {}.', data.backend) + ' ' +
    (data.modelled ? say('Times are modelled, not measured.') + ' ' : '') + say('Made with Attention Workbench.')});

  // --- drawing ---
  let g, width, height, scale, hit = () => false;
  const font = '13px "Inter", "Noto Sans", system-ui, sans-serif';
  // The views are laid out for the width of the frame, or for 800 if the page is hidden and has no width.
  function measure() {
    width = frame.clientWidth || 800; scale = window.devicePixelRatio || 1;
    g = canvas.getContext('2d'); g.font = font;
  }
  function paper(h, w = width) {
    height = h;
    canvas.style.width = w + 'px'; canvas.style.height = h + 'px';
    canvas.width = Math.round(w * scale); canvas.height = Math.round(h * scale);
    g.scale(scale, scale); g.clearRect(0, 0, w, h);
    g.font = font; g.textBaseline = 'middle';
  }
  // The colours of weights are those of the program: each weight has one of 256 colours.
  const {low, high} = data.colors, isLog = data.colors.scale === 'log', table = data.colors.table.match(/.{6}/g).map(c => '#' + c);
  const place = w => Math.min(1, Math.max(0, !isLog ? (w - low) / (high - low) : w <= low ? 0 : Math.log(w / low) / Math.log(high / low)));
  const shade = w => table[Math.floor(place(w) * 255 + .5)];
  const ticks = isLog ? [1e-4, .001, .01, .1, 1].filter(t => t >= low && t <= high) : [0, .2, .4, .6, .8, 1].map(t => low + t * (high - low));
  const visible = text => (text ?? '').replace(/ /g, '\u00b7').replace(/\n/g, '\u21b5').replace(/\t/g, '\u2192');
  const widest = texts => Math.min(96, texts.reduce((w, t) => Math.max(w, g.measureText(t).width), 0));
  const legendWidth = 166;  // the width of the heatmap's legend
  // Labels need 14 pixels each: with n returned, every n-th token has a label.
  const stepOf = size => [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find(n => n * size >= 14) ?? 2000;
  function axisNames() {
    const cross = layerOf().cross, encoder = ofEncoder(s.layer);
    return {query: encoder ? say('encoder’s token (query), reads') : cross ? say('decoder’s token (query), reads') : say('query token, reads'),
            key: encoder || cross ? say('encoder’s token (key), is read') : say('key token, is read')};
  }
  const shorten = (text, room) => { while (text.length > 1 && g.measureText(text).width > room) text = text.slice(0, -2) + '\u2026'; return text; };
  const nothing = text => { paper(120); g.fillStyle = color('soft'); g.fillText(text, 16, 60); hit = () => false; values.textContent = ''; };
  const fit = () => { const rows = rowsNow(), keys = keysNow(); if (s.query < 0 || s.query >= rows) s.query = rows - 1; s.key = Math.min(s.key, Math.max(0, keys - 1)); };
  function cellText() {
    if (s.row) return rowText();
    const w = cell(s.query, s.key), tokens = queryTexts();
    const what = w === -1 ? say('masked: the query does not see this key') : Number.isNaN(w) ? say('not a number') : say('weight {} = {} %', w.toPrecision(5), (100 * w).toFixed(2));
    values.textContent = say('Query {}{} reads key {}{}: {}.', s.query, quoted(tokens[s.query]), s.key, quoted(keyTexts()[s.key]), what);
  }
  function rowText() {
    let sum = 0;
    for (let k = 0; k < keysNow(); ++k) sum += Math.max(0, cell(s.query, k));
    values.textContent = say('Row of query {}{}: its weights add up to {}.', s.query, quoted(queryTexts()[s.query]), sum.toFixed(4));
  }
  function drawHeatmap() {
    fit();
    const rows = rowsNow(), keys = keysNow();
    if (!rows || !weightsOf(layerOf(), s.head)) return nothing(rows ? say('This page has no weights of this head.') : say('No row of this request is computed at this step.'));
    const axes = axisNames(), down = queryTexts().slice(0, rows).map(visible), across = keyTexts().slice(0, keys).map(visible);
    const digits = g.measureText(String(Math.max(rows, keys) - 1)).width;
    const snap = x => Math.round(x * scale) / scale;  // rounds to whole pixels of the screen, so that each cell has a single colour
    const left = snap(widest(down) + digits + 46), top = snap(widest(across) + digits + 46);
    const beside = width >= 620, legendHeight = 280;
    const size = Math.max(Math.ceil(scale), Math.floor(scale * Math.min(30, (width - left - (beside ? legendWidth : 12)) / keys,
                                                                     Math.max(15, (window.innerHeight - 230 - top) / rows)))) / scale;
    const right = left + keys * size, bottom = top + rows * size, gap = size > 4 ? Math.max(1, Math.round(scale)) / scale : 0;
    paper(beside ? Math.max(bottom + 12, 16 + legendHeight, top + 160) : Math.max(bottom, top + 160) + 20 + legendHeight, Math.max(width, right + (beside ? legendWidth : 12)));
    const masked = new Path2D();
    let anyMasked = false, anyNaN = false;
    for (let q = 0; q < rows; ++q) for (let k = 0; k < keys; ++k) {
      const w = cell(q, k), x = left + k * size, y = top + q * size, isMasked = w === -1, isNaN = Number.isNaN(w);
      g.fillStyle = isMasked ? color('masked') : isNaN ? color('wrong') : shade(w);
      g.fillRect(x, y, size - gap, size - gap);
      if (isMasked && gap) { masked.moveTo(x, y + size - gap); masked.lineTo(x + size - gap, y); }
      anyMasked ||= isMasked; anyNaN ||= isNaN;
    }
    g.strokeStyle = color('line'); g.stroke(masked);
    const step = stepOf(size), upright = (x, y, draw) => { g.save(); g.translate(x, y); g.rotate(-Math.PI / 2); draw(); g.restore(); };
    const ink = (i, chosen, plain) => { g.fillStyle = color(i === chosen ? 'mark' : plain); };
    g.textAlign = 'right';
    for (let q = 0; q < rows; q += step) {
      const y = top + q * size + (size - gap) / 2;
      ink(q, s.query, 'soft'); g.fillText(q, left - 6, y);
      ink(q, s.query, 'text'); g.fillText(shorten(down[q] ?? '', 96), left - digits - 14, y);
    }
    g.textAlign = 'left';
    for (let k = 0; k < keys; k += step) upright(left + k * size + (size - gap) / 2, top - 6, () => {
      ink(k, s.row ? -1 : s.key, 'soft'); g.fillText(k, 0, 0);
      ink(k, s.row ? -1 : s.key, 'text'); g.fillText(shorten(across[k] ?? '', 96), digits + 8, 0);
    });
    g.fillStyle = color('soft');
    g.fillText(axes.key + ' \u2192', left, 14);
    g.textAlign = 'right'; upright(14, top, () => g.fillText('\u2190 ' + axes.query, 0, 0)); g.textAlign = 'left';
    drawLegend(beside ? right + 20 : left, beside ? 16 : Math.max(bottom, top + 160) + 28, anyMasked, anyNaN);
    if (s.row) ringCell(left, top + s.query * size, keys * size, size);
    else ringCell(left + s.key * size, top + s.query * size, size, size);
    hit = (x, y) => { const k = Math.floor((x - left) / size), q = Math.floor((y - top) / size); if (k < 0 || q < 0 || k >= keys || q >= rows) return false; s.query = q; s.key = k; return true; };
    cellText();
  }
  // Breaks the text between words into lines that are at most `room` wide, unless a word is wider.
  const wrapped = (text, room) => text.split(' ').reduce((lines, word) => {
    const longer = lines.length ? lines.at(-1) + ' ' + word : word;
    return lines.length && g.measureText(longer).width > room ? [...lines, word] : [...lines.slice(0, -1), longer];
  }, []);
  // The legend of the heatmap: what its colours mean.
  function drawLegend(x, y, anyMasked, anyNaN) {
    const length = 180, begin = y + 16;
    g.fillStyle = color('text'); g.fillText(say('weight'), x, y);
    for (let i = 0; i < length; ++i) { g.fillStyle = shade(!isLog ? low + (1 - i / (length - 1)) * (high - low) : low * (high / low) ** (1 - i / (length - 1))); g.fillRect(x, begin + i, 18, 1.5); }
    g.fillStyle = color('text');
    for (const tick of ticks) { const at = begin + (1 - place(tick)) * length; g.fillRect(x + 18, at - .5, 5, 1); g.fillText(isLog ? String(tick) : tick.toFixed(1), x + 28, at); }
    g.fillStyle = color('soft'); g.fillText(data.colors.scale + ', ' + data.colors.map, x, begin + length + 20);
    const entry = (name, lines, at) => { g.fillStyle = color(name); g.fillRect(x, at - 7, 14, 14); g.fillStyle = color('soft'); lines.forEach((line, i) => g.fillText(line, x + 22, at + 16 * i)); };
    if (anyMasked) { entry('masked', wrapped(say('masked: not seen by the query'), legendWidth - 46), begin + length + 44); g.strokeStyle = color('line'); g.beginPath(); g.moveTo(x, begin + length + 51); g.lineTo(x + 14, begin + length + 37); g.stroke(); }
    if (anyNaN) entry('wrong', [say('not a number')], begin + length + 80);
  }
  function ringCell(x, y, w, h) { g.lineWidth = 3; g.strokeStyle = color('mark'); g.strokeRect(x - 2, y - 2, w + 3, h + 3); g.lineWidth = 1; }
  function drawLines() {
    fit();
    const rows = rowsNow(), keys = keysNow();
    if (!rows || !weightsOf(layerOf(), s.head)) return nothing(rows ? say('This page has no weights of this head.') : say('No row of this request is computed at this step.'));
    const size = Math.max(3, Math.min(24, 900 / Math.max(rows, keys))), a = Math.min(260, width * .35), b = Math.max(a + 120, width - 200);
    const head = 36, step = stepOf(size), axes = axisNames(), named = (i, texts) => i + ' ' + visible(texts[i]);
    paper(head + 12 + size * Math.max(rows, keys));
    const y = i => head + (i + .5) * size;
    g.fillStyle = color('soft'); g.textAlign = 'right'; g.fillText(axes.query, a - 8, 16);
    g.textAlign = 'left'; g.fillText(axes.key, b + 8, 16);
    if (b - a > 240) { g.textAlign = 'center'; g.fillText(say('the thicker the line, the larger the weight'), (a + b) / 2, 16); }
    for (let q = 0; q < rows; ++q) {
      if (q !== s.query) continue;
      for (let k = 0; k < keys; ++k) {
        const w = cell(q, k);
        if (!(w > 0)) continue;
        g.strokeStyle = k === s.key ? color('mark') : color('accent'); g.globalAlpha = k === s.key ? 1 : Math.min(1, .12 + w);
        g.lineWidth = Math.max(.6, 9 * w); g.beginPath(); g.moveTo(a, y(q)); g.bezierCurveTo((a + b) / 2, y(q), (a + b) / 2, y(k), b, y(k)); g.stroke();
      }
      g.globalAlpha = 1;
    }
    for (let i = 0; i < Math.max(rows, keys); i += step) {
      g.textAlign = 'right'; g.fillStyle = i === s.query ? color('mark') : color('text');
      if (i < rows) g.fillText(shorten(named(i, queryTexts()), a - 20), a - 8, y(i));
      g.textAlign = 'left'; g.fillStyle = i === s.key ? color('mark') : color('text');
      if (i < keys) g.fillText(shorten(named(i, keyTexts()), width - b - 16), b + 8, y(i));
    }
    g.lineWidth = 1;
    hit = (x, yy) => { const i = Math.floor((yy - head) / size); if (x < (a + b) / 2) { if (i < 0 || i >= rows) return false; s.query = i; } else { if (i < 0 || i >= keys) return false; s.key = i; } return true; };
    cellText();
  }
  const hues = ['#2f7ebc', '#d1741f', '#3d9950', '#b5558f', '#8064b8', '#a08020', '#208f8f', '#c04848'];
  // The legend of the blocks: entries [index of the request, opacity, text] for each request that
  // holds a block, for the blocks that are kept for their prefix, and for free ones.
  function blocksLegend(blocks) {
    const entries = [], holders = new Set(blocks.filter(b => b && b[4] > 0).map(b => data.requests.findIndex(r => r.id === b[1])));
    for (const place of [...holders].filter(place => place >= 0).sort((a, b) => a - b)) entries.push([place, 1, say('{}: its filled slots', data.requests[place].name)]);
    const kept = blocks.find(b => b && b[4] === 0 && b[5]);
    if (kept) entries.push([data.requests.findIndex(r => r.id === kept[1]), .3, say('kept for its prefix')]);
    entries.push([-1, 0, holders.size ? say('free, or free slots of a block') : say('free')]);
    return entries;
  }
  function drawBlocks() {
    const blocks = blocksNow(), n = data.numBlocks, columns = Math.max(1, Math.min(n, Math.floor((width - 24) / 62))), h = 46;
    if (!n) return nothing(say('This run has no cache of keys and values.'));
    s.block = Math.min(s.block, n - 1);
    const legend = blocksLegend(blocks), bottom = 20 + Math.ceil(n / columns) * h;
    const perLine = Math.max(1, Math.floor((width - 24) / 220));
    paper(bottom + Math.ceil(legend.length / perLine) * 22 + 6);
    const hueOf = place => place < 0 ? color('soft') : hues[place % hues.length];
    legend.forEach(([place, alpha, text], i) => {
      const x = 12 + i % perLine * 220, y = bottom + Math.floor(i / perLine) * 22;
      g.strokeStyle = color('line'); g.strokeRect(x + .5, y + .5, 18, 14);
      if (alpha) { g.globalAlpha = alpha; g.fillStyle = hueOf(place); g.fillRect(x + 1, y + 1, 17, 13); g.globalAlpha = 1; }
      g.fillStyle = color('soft'); g.textAlign = 'left'; g.fillText(shorten(text, 188), x + 26, y + 8);
    });
    for (let i = 0; i < n; ++i) {
      const b = blocks[i], x = 12 + i % columns * 62, y = 10 + Math.floor(i / columns) * h;
      g.strokeStyle = color('line'); g.strokeRect(x + .5, y + .5, 54, 36);
      if (b && (b[4] > 0 || b[5])) {
        const place = data.requests.findIndex(r => r.id === b[1]);
        g.globalAlpha = b[5] ? .3 : 1; g.fillStyle = hueOf(place);
        g.fillRect(x + 1, y + 1, 53 * Math.min(1, b[2] / data.blockSize), 35); g.globalAlpha = 1;
      }
      g.fillStyle = color('text'); g.textAlign = 'center'; g.fillText(String(i), x + 27, y + 19);
      if (i === s.block) ringCell(x, y, 55, 37);
    }
    g.textAlign = 'left';
    hit = (x, y) => { const c = Math.floor((x - 12) / 62), i = Math.floor((y - 10) / h) * columns + c; if (c < 0 || c >= columns || i < 0 || i >= n) return false; s.block = i; return true; };
    s.columns = columns;
    const b = blocks[s.block], owner = b && data.requests.find(r => r.id === b[1]);
    values.textContent = !b || (b[4] === 0 && !b[5]) ? say('Block {}: free.', s.block) :
      b[5] ? say('Block {}: in no table, but kept for its prefix; {} of {} slots are filled.', s.block, b[2], data.blockSize) :
      say('Block {}: {} of {} slots are filled', s.block, b[2], data.blockSize) + (owner ? say(', by {}, block {} of its table', owner.name, b[3]) : '') +
        (b[4] > 1 ? say('; {} tables share it.', b[4]) : '.');
  }
  // Names of kernels are the same in every language.
  function spanName(label) {
    const step = /^step (.+)$/.exec(label), tile = /^(.+) tile$/.exec(label);
    return step ? say('step {}', step[1]) : tile ? say('{} tile', tile[1]) : label;
  }
  function drawTimeline() {
    const step = data.steps[s.step], end = step.end, events = data.events;
    if (!events.length) return nothing(say('This page has no timeline.'));
    const lanes = [...new Set(events.map(e => e[0]))].sort((a, b) => a - b), from = events[0][1], h = 34, left = 86;
    s.event = Math.min(s.event, events.length - 1);
    const span = Math.max(1, end - from), shown = span / s.zoom, chosen = events[s.event];
    const begin = Math.min(Math.max(from, chosen[1] + chosen[2] / 2 - shown / 2), from + span - shown);
    const x = t => left + (t - begin) / shown * (width - left - 12);
    paper(34 + lanes.length * h);
    g.fillStyle = color('text');
    lanes.forEach((lane, i) => g.fillText(lane ? say('worker {}', lane - 1) : say('engine'), 10, 24 + (i + .5) * h));
    g.fillStyle = color('panel'); g.fillRect(x(step.begin), 22, Math.max(1, x(step.end) - x(step.begin)), lanes.length * h);
    g.save(); g.beginPath(); g.rect(left, 0, width - left, height); g.clip();
    events.forEach((e, i) => {
      if (e[1] > end || x(e[1] + e[2]) < left || x(e[1]) > width) return;
      const depth = data.labels[e[3]].startsWith('step') ? 0 : 8, y = 26 + lanes.indexOf(e[0]) * h + depth, w = Math.max(1, x(e[1] + e[2]) - x(e[1]));
      g.fillStyle = depth ? hues[e[3] % hues.length] : color('line'); g.fillRect(x(e[1]), y, w, depth ? 18 : 26);
      if (i === s.event) ringCell(x(e[1]), y, w, depth ? 18 : 26);
    });
    g.restore();
    hit = (px, py) => { const lane = lanes[Math.floor((py - 22) / h)]; let best = -1;
      events.forEach((e, i) => { if (e[0] === lane && e[1] <= end && x(e[1]) - 1 <= px && px <= Math.max(x(e[1]) + 2, x(e[1] + e[2]))) best = i; });
      if (best < 0) return false; s.event = best; return true; };
    values.textContent = say('{}{}: begins at {}, takes {}.', spanName(data.labels[chosen[3]]), chosen[4] >= 0 ? say(', layer {}', layerName(chosen[4])) : '', ms(chosen[1]), ms(chosen[2]));
  }
  const helpOf = {heatmap: say('Arrows: another cell'), lines: say('Up, Down: another query. Left, Right: another key'), blocks: say('Arrows: another block'),
                  timeline: say('Left, Right: the span before or after. + and −: zoom')};
  function draw() {
    measure();
    for (const button of tabs.children) button.setAttribute('aria-selected', String(button.dataset.view === s.view));
    refresh.forEach(f => f());
    slider.value = s.step;
    const step = data.steps[s.step];
    stepText.textContent = say('{} of {} ({} tokens of prompts, {} generated)', step.n, data.steps[data.steps.length - 1].n, step.prefill, step.decode);
    ({heatmap: drawHeatmap, lines: drawLines, blocks: drawBlocks, timeline: drawTimeline})[s.view]();
    keysLine.textContent = say('Keys: 1 to 4: view. Page Up, Page Down: step. {}.', helpOf[s.view]) + (layers > 1 || heads > 1 ? ' ' + say('L, H: next layer, next head (with Shift: the one before).') : '');
    canvas.setAttribute('aria-label', views[s.view] + '. ' + values.textContent);
  }
  function key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const inField = e.target !== canvas && e.target !== document.body;
    if (inField) return;
    const turn = (value, by, count) => (value + by + count) % count;
    const names = Object.keys(views), move = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[e.key];
    if (e.key >= '1' && e.key <= '4') s.view = names[+e.key - 1];
    else if (e.key === 'PageDown') goTo(s.step + 1);
    else if (e.key === 'PageUp') goTo(s.step - 1);
    else if (e.key === 'Home' || e.key === 'End') goTo(e.key === 'Home' ? 0 : data.steps.length - 1);
    else if ((e.key === 'l' || e.key === 'L') && layers) s.layer = turn(s.layer, e.shiftKey ? -1 : 1, layers);
    else if ((e.key === 'h' || e.key === 'H') && heads) s.head = turn(s.head, e.shiftKey ? -1 : 1, heads);
    else if ((e.key === '+' || e.key === '-') && s.view === 'timeline') s.zoom = Math.min(4096, Math.max(1, s.zoom * (e.key === '+' ? 2 : .5)));
    else if (move) {
      if (s.view === 'blocks') s.block = Math.min(data.numBlocks - 1, Math.max(0, s.block + move[0] + move[1] * (s.columns || 1)));
      else if (s.view === 'timeline') s.event = Math.min(data.events.length - 1, Math.max(0, s.event + move[0] + move[1]));
      else { s.key = Math.min(keysNow() - 1, Math.max(0, s.key + move[0])); s.query = Math.min(rowsNow() - 1, Math.max(0, s.query + move[1])); }
    } else return;
    s.row = false;
    e.preventDefault(); draw();
  }
  (takesKeys ? document : canvas).addEventListener('keydown', key);
  const point = e => { if (hit(e.offsetX, e.offsetY)) { s.row = false; draw(); } };
  canvas.addEventListener('pointermove', point);
  canvas.addEventListener('pointerdown', point);
  window.addEventListener('resize', draw);
  new ResizeObserver(() => { if (frame.clientWidth && frame.clientWidth !== width) draw(); }).observe(frame);
  // Draws again on a screen of other pixels, and if the browser dropped the drawing of a hidden page.
  const watchPixels = () => matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener('change', () => { draw(); watchPixels(); }, {once: true});
  watchPixels();
  document.addEventListener('visibilitychange', () => { if (!document.hidden) draw(); });
  canvas.addEventListener('contextrestored', draw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  goTo(s.step);
  draw();
  // Shows a place: {view, request, layer, head, query, key, block, step}; what is absent stays. row:
  // true: the whole row of the query is meant.
  return place => {
    if (place.view && views[place.view]) s.view = place.view;
    const at = data.requests.findIndex(r => r.id === place.request); if (at >= 0) s.request = at;
    for (const name of ['layer', 'head', 'query', 'key', 'block']) if (place[name] >= 0) s[name] = place[name];
    const step = data.steps.findIndex(one => one.n === place.step); if (step >= 0) s.step = step;
    s.row = place.row === true;
    draw();
  };
}
)js";
}

}  // namespace attn
