<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Workbench</name>
    <message>
        <location filename="../../assets/scenarios/alibi.json"/>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>ALiBi</source>
        <translation>ALiBi</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/alibi.json"/>
        <source>Attention with linear biases: slope x distance is subtracted from the scores. Each head has its own slope: head 0 reads mostly near tokens, head 7 also distant ones. Press . and , to go through the heads.</source>
        <translation>Attention mit linearen Biases: Von den Scores wird Steigung × Abstand abgezogen. Jeder Kopf hat seine eigene Steigung: Kopf 0 liest vor allem nahe Token, Kopf 7 auch entfernte. Mit . und , gehst du durch die Köpfe.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/alternating-layers.json"/>
        <source>Alternating layers</source>
        <translation>Abwechselnde Schichten</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/alternating-layers.json"/>
        <source>Layers 0 and 2 have a sliding window of 12 tokens; layers 1 and 3 see the query's token and all before it, as in Gemma 2. Go through the layers in the heatmap: in layer 0 the weights form a band, in layer 1 a triangle. While a request runs, its blocks stay in the cache, because layers 1 and 3 still read them.</source>
        <translation>Die Schichten 0 und 2 haben ein gleitendes Fenster von 12 Token; die Schichten 1 und 3 sehen das Token der Query und alle davor, wie in Gemma 2. Geh in der Heatmap durch die Schichten: In Schicht 0 bilden die Gewichte ein Band, in Schicht 1 ein Dreieck. Solange eine Anfrage läuft, bleiben ihre Blöcke im Cache, weil die Schichten 1 und 3 sie noch lesen.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/beam-search.json"/>
        <source>Beam search</source>
        <translation>Beam-Suche</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/beam-search.json"/>
        <source>Four beams continue one prompt. They share the blocks of their common beginning. When one of them has to write into a shared block, the block is copied first. A beam with a low probability is dropped.</source>
        <translation>Vier Beams setzen einen Prompt fort. Sie teilen sich die Blöcke ihres gemeinsamen Anfangs. Muss einer von ihnen in einen geteilten Block schreiben, so wird der Block erst kopiert. Ein Beam mit kleiner Wahrscheinlichkeit wird fallen gelassen.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/block-size-1.json"/>
        <source>Block size 1: no slot is wasted</source>
        <translation>Blockgröße 1: kein Slot bleibt leer</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/block-size-1.json"/>
        <source>Ten stories run in a cache of 512 slots, which is divided into 512 blocks of one slot. No request holds an empty slot, so all ten stories run at the same time. The price is a block table with one entry per token. Open block-size-64 to see the other extreme.</source>
        <translation>Zehn Geschichten in einem Cache mit 512 Slots, der in 512 Blöcke zu einem Slot geteilt ist. Keine Anfrage hält einen leeren Slot, darum laufen alle zehn Geschichten zugleich. Der Preis ist eine Blocktabelle mit einem Eintrag für jedes Token. Öffne „Blockgröße 64“, um das andere Extrem zu sehen.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/block-size-64.json"/>
        <source>Block size 64: room for eight</source>
        <translation>Blockgröße 64: Platz für acht</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/block-size-64.json"/>
        <source>The same ten stories in the same 512 slots, divided into 8 blocks of 64. A story of 40 tokens holds a whole block and leaves 24 slots empty. At most eight stories can run at the same time; the others wait. The title of the Blocks view shows how much is wasted.</source>
        <translation>Dieselben zehn Geschichten in denselben 512 Slots, jetzt in 8 Blöcke zu 64 geteilt. Eine Geschichte von 40 Token hält einen ganzen Block und lässt 24 Slots leer. Höchstens acht Geschichten können zugleich laufen; die anderen warten. Der Titel der Ansicht Blöcke zeigt, wie viel verschwendet ist.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/block-sparse.json"/>
        <source>A token sees the block of 4 tokens in which it lies, up to itself, and the block before. Of the earlier blocks it sees only every third. The heatmap shows a band along the diagonal and vertical stripes, which are at other keys in the next head. In the toolbar torch_sdpa, xformers and pallas are grey; their tool tips say why.</source>
        <translation>Ein Token sieht den Block von 4 Token, in dem es liegt, bis zu sich selbst, und den Block davor. Von den früheren Blöcken sieht es nur jeden dritten. Die Heatmap zeigt ein Band entlang der Diagonale und senkrechte Streifen, die im nächsten Kopf bei anderen Keys stehen. In der Werkzeugleiste sind torch_sdpa, xformers und pallas grau; ihre Hinweise sagen, warum.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/block-sparse.json"/>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Block-sparse</source>
        <translation>Block-sparse</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/captured-plans.json"/>
        <source>Captured plans</source>
        <translation>Aufgezeichnete Pläne</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/captured-plans.json"/>
        <source>The plans of decode steps are made before the run, for batches of 1, 2 and 4 sequences. A decode step copies its numbers, such as context lengths, into the smallest plan that is large enough. In the Timeline look for plan (in a step with a prompt) and plan_replay (in a decode step).</source>
        <translation>Die Pläne der Decode-Schritte werden vor dem Lauf gemacht, für Batches von 1, 2 und 4 Sequenzen. Ein Decode-Schritt schreibt seine Zahlen, etwa die Kontextlängen, in den kleinsten Plan, der groß genug ist. Suche in der Zeitachse nach plan (in einem Schritt mit einem Prompt) und plan_replay (in einem Decode-Schritt).</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/chunked-prefill.json"/>
        <source>A long prompt is computed while two stories are generated. The stories do not wait: a step first computes one token of each story, and then a piece of the long prompt with the rest of its token budget.</source>
        <translation>Ein langer Prompt wird berechnet, während zwei Geschichten erzeugt werden. Die Geschichten warten nicht: Ein Schritt berechnet zuerst ein Token von jeder Geschichte, und mit dem Rest seines Token-Budgets ein Stück des langen Prompts.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/chunked-prefill.json"/>
        <source>Chunked prefill</source>
        <translation>Chunked Prefill</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/cross-attention.json"/>
        <source>A decoder reads an encoder, as in a translation. The rows are the queries, the decoder's tokens (tgt); the columns are the keys, the encoder's tokens (src). Nothing is masked. Head 0 mostly reads the word that is being translated; where the order of the words changes, its weights leave the diagonal. Head 1 mostly reads the word after the translated one, head 2 the first word; head 3 reads all words evenly. The keys are written into the blocks once, in the prefill; decoding takes no further block.</source>
        <translation>Ein Decoder liest einen Encoder, wie beim Übersetzen. Die Zeilen sind die Queries, also die Token des Decoders (tgt); die Spalten sind die Keys, also die Token des Encoders (src). Nichts ist maskiert. Kopf 0 liest vor allem das Wort, das gerade übersetzt wird; wo sich die Reihenfolge der Wörter ändert, verlassen seine Gewichte die Diagonale. Kopf 1 liest vor allem das Wort nach dem übersetzten, Kopf 2 das erste Wort; Kopf 3 liest alle Wörter gleichmäßig. Die Keys werden im Prefill einmal in die Blöcke geschrieben; das Decoding braucht keinen weiteren Block.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/cross-attention.json"/>
        <source>Cross attention</source>
        <translation>Cross-Attention</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/dates.json"/>
        <source>A small model with an encoder and a decoder writes dates and numbers in a fixed form: "the third of March 2021" becomes 2021-03-03. The encoder reads the text, and the decoder writes. The heatmap shows cross attention, layer 5, head 0: a row is a token that the decoder has read, and the columns are the text. Often the head reads the part of the text that decides the next character: the row of the first - reads the month, because the month comes next. Layers 0 and 1 are the encoder's self attention, 2 and 4 the decoder's, and 3 and 5 are cross attention. The last two texts are the same number in English and in German; in German the ones come before the tens.</source>
        <translation>Ein kleines Modell mit Encoder und Decoder schreibt Kalenderdaten und Zahlen in einer festen Form: Aus „the third of March 2021“ wird 2021-03-03. Der Encoder liest den Text, und der Decoder schreibt. Die Heatmap zeigt Cross-Attention, Schicht 5, Kopf 0: Eine Zeile ist ein Token, das der Decoder gelesen hat, und die Spalten sind der Text. Oft liest der Kopf den Teil des Textes, der das nächste Zeichen bestimmt: Die Zeile des ersten - liest den Monat, weil als Nächstes der Monat kommt. Die Schichten 0 und 1 sind die Self-Attention des Encoders, 2 und 4 die des Decoders, und 3 und 5 sind Cross-Attention. Die letzten beiden Texte sind dieselbe Zahl auf Englisch und auf Deutsch; auf Deutsch stehen die Einer vor den Zehnern.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/dates.json"/>
        <source>Dates and numbers</source>
        <translation>Kalenderdaten und Zahlen</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/encoder-decoder.json"/>
        <source>Encoder and decoder</source>
        <translation>Encoder und Decoder</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/encoder-decoder.json"/>
        <source>Two kinds of attention take turns, as in T5 and BART: self attention over the tokens of the request, and cross attention over the tokens of its encoder. So a request has two block tables. The table of its own tokens grows with the text. The encoder's table is written once, with the prompt, and stays. Switch between layer 0 (self attention, a triangle) and layer 1 (cross attention, no mask) in the heatmap, and click cells of both: their keys lie in blocks of different tables.</source>
        <translation>Zwei Arten von Attention wechseln sich ab, wie in T5 und BART: Self-Attention über die Token der Anfrage und Cross-Attention über die Token ihres Encoders. Eine Anfrage hat darum zwei Blocktabellen. Die Tabelle ihrer eigenen Token wächst mit dem Text. Die des Encoders wird einmal geschrieben, mit dem Prompt, und bleibt. Wechsle in der Heatmap zwischen Schicht 0 (Self-Attention, ein Dreieck) und Schicht 1 (Cross-Attention, ohne Maske), und klicke Zellen in beiden an: Ihre Keys liegen in Blöcken verschiedener Tabellen.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/encoder-layers.json"/>
        <source>Encoder, then decoder</source>
        <translation>Erst Encoder, dann Decoder</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/encoder-layers.json"/>
        <source>The encoder is computed, too. In the step of a prompt its two layers run first; each is one call of the type ENCODER over the encoder tokens of all requests. Then the layers of the decoder run; their cross attention makes its keys and values from the encoder's output and writes them into the cache. Look at layers 0 and 1 in the heatmap: the encoder's tokens are on both axes, and no cell is masked. Layer 2 (self attention) is a triangle, and layer 3 (cross attention) reads the encoder. In the Timeline and in Events the layers 0 and 1 are in the first step only: later steps write text and read the encoder's keys from the cache.</source>
        <translation>Auch der Encoder wird berechnet. Im Schritt eines Prompts laufen zuerst seine zwei Schichten; jede ist ein Aufruf vom Typ ENCODER über die Encoder-Token aller Anfragen. Dann laufen die Schichten des Decoders; ihre Cross-Attention macht ihre Keys und Values aus der Ausgabe des Encoders und schreibt sie in den Cache. Sieh dir in der Heatmap die Schichten 0 und 1 an: Auf beiden Achsen stehen die Token des Encoders, und keine Zelle ist maskiert. Schicht 2 (Self-Attention) ist ein Dreieck, und Schicht 3 (Cross-Attention) liest den Encoder. In der Zeitachse und in den Ereignissen kommen die Schichten 0 und 1 nur im ersten Schritt vor: Spätere Schritte schreiben Text und lesen die Keys des Encoders aus dem Cache.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/encoder.json"/>
        <source>An encoder reads the whole prompt in one step: every token sees all tokens, also the later ones, so no cell is masked. There is no KV cache, and no text is generated; the only token of the request is sampled from the last row.</source>
        <translation>Ein Encoder liest den ganzen Prompt in einem Schritt: Jedes Token sieht alle Token, auch die späteren, darum ist keine Zelle maskiert. Es gibt keinen KV-Cache, und es wird kein Text erzeugt; das einzige Token der Anfrage wird aus der letzten Zeile gezogen.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/encoder.json"/>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Encoder</source>
        <translation>Encoder</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/fast-or-invariant.json"/>
        <source>Fast or invariant</source>
        <translation>Schnell oder invariant</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/fast-or-invariant.json"/>
        <source>The same prompt is computed twice with the same seed: alone, and later together with two other requests. With exactness fast a decode takes the keys of a sequence in parts whose length depends on the load of the step, and rounds each weight relative to the largest score so far in its part. So the two texts can differ. Choose invariant for Exactness and start again: the two texts are equal.</source>
        <translation>Derselbe Prompt wird zweimal mit demselben Seed berechnet: allein und später zusammen mit zwei anderen Anfragen. Mit „fast“ als Exactness nimmt ein Decode die Keys einer Sequenz in Teilen, deren Länge von der Last des Schritts abhängt, und rundet jedes Gewicht im Verhältnis zum größten bisherigen Score seines Teils. Darum können die beiden Texte verschieden sein. Wähle „invariant“ für Exactness, und starte neu: Die beiden Texte sind gleich.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/first-look.json"/>
        <source>A small language model continues one sentence, slowly enough to watch. The head that is shown mostly reads the previous token.</source>
        <translation>Ein kleines Sprachmodell setzt einen Satz fort, langsam genug zum Zusehen. Der gezeigte Kopf liest meistens das vorige Token.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/first-look.json"/>
        <source>First look</source>
        <translation>Erster Blick</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/fp8-cache.json"/>
        <source>A KV cache of 8 bits</source>
        <translation>Ein KV-Cache mit 8 Bit</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/fp8-cache.json"/>
        <source>Keys and values are stored as 8-bit floating-point numbers (fp8, 4 bits of exponent), a quarter of the bytes of f32. This rounds them, so compare the weights and the words with those of the scenario First look.</source>
        <translation>Keys und Values werden als Gleitkommazahlen mit 8 Bit gespeichert (fp8, 4 Bit für den Exponenten), also mit einem Viertel der Bytes von f32. Das rundet sie; vergleiche darum die Gewichte und die Wörter mit denen des Szenarios „Erster Blick“.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/full-house-swap.json"/>
        <source>Full house: preemption by swapping</source>
        <translation>Volles Haus: Verdrängen durch Auslagern</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/full-house-swap.json"/>
        <source>The six stories of Full house run in the same small cache. When the cache is full, the blocks of the request that came last are moved to the swap pool in host memory. The content of the blocks returns unchanged later, so nothing is computed twice.</source>
        <translation>Die sechs Geschichten von „Volles Haus“ im selben kleinen Cache. Ist der Cache voll, so kommen die Blöcke der Anfrage, die zuletzt kam, in den Auslagerungsspeicher im Hauptspeicher. Der Inhalt der Blöcke kehrt später unverändert zurück, darum wird nichts zweimal berechnet.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/full-house.json"/>
        <source>Full house: preemption by recomputation</source>
        <translation>Volles Haus: Verdrängen durch Neuberechnen</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/full-house.json"/>
        <source>Six stories need more blocks than the cache has. When the cache is full, the request that came last gives its blocks back and waits. When enough blocks are free again, all tokens of this request are computed again.</source>
        <translation>Sechs Geschichten brauchen mehr Blöcke, als der Cache hat. Ist der Cache voll, so gibt die Anfrage, die zuletzt kam, ihre Blöcke zurück und wartet. Gibt es wieder genug freie Blöcke, so werden alle Token dieser Anfrage noch einmal berechnet.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/grouped-query.json"/>
        <source>Grouped queries</source>
        <translation>Gruppierte Queries</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/grouped-query.json"/>
        <source>Grouped-query attention: 8 query heads share 2 KV heads. Heads 0 to 3 read the keys of KV head 0, heads 4 to 7 those of KV head 1. The inspector names the KV head of a cell; its key vector k is the same in all heads of a group. Set KV heads to 8 and run again: this is multi-head attention, with the same number of attention weights and a KV cache four times as large.</source>
        <translation>Grouped-Query-Attention: 8 Query-Köpfe teilen sich 2 KV-Köpfe. Die Köpfe 0 bis 3 lesen die Keys von KV-Kopf 0, die Köpfe 4 bis 7 die von KV-Kopf 1. Der Inspektor nennt den KV-Kopf einer Zelle; ihr Key-Vektor k ist in allen Köpfen einer Gruppe derselbe. Setze die KV-Köpfe auf 8, und starte neu: Das ist Multi-Head-Attention, mit ebenso vielen Attention-Gewichten und einem viermal so großen KV-Cache.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/long-prompt.json"/>
        <source>A prompt of a whole story is computed in one step: its rows and keys form a square of the heatmap, and each decode step after it adds one row. For some words that are repeated, the head that is shown reads the token that followed the same word before.</source>
        <translation>Ein Prompt aus einer ganzen Geschichte wird in einem Schritt berechnet: Seine Zeilen und Keys bilden ein Quadrat der Heatmap, und jeder Decode-Schritt danach fügt eine Zeile an. Bei manchen Wörtern, die wiederkehren, liest der gezeigte Kopf das Token, das zuvor auf dasselbe Wort folgte.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/long-prompt.json"/>
        <source>Long prompt</source>
        <translation>Langer Prompt</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/many-users.json"/>
        <source>Many users</source>
        <translation>Viele Nutzer</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/many-users.json"/>
        <source>Ten stories share a small cache. At most four run at the same time; the others wait in the queue. Watch which request gets which block.</source>
        <translation>Zehn Geschichten teilen sich einen kleinen Cache. Höchstens vier laufen zugleich; die anderen warten in der Schlange. Achte darauf, welche Anfrage welchen Block bekommt.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/masked-word.json"/>
        <source>A small encoder says which word is hidden by [MASK]. In "[MASK] has a black ball. ... The black ball belongs to Lily." the answer is the last word: the row of [MASK] in layer 2, head 0, reads this word far to the right, where a model that writes text from left to right sees nothing yet. In layer 1, head 0, the name, the colour and the thing of a sentence read each other. Both heads were guided to this when the model was trained. The view Next token (Alt+1, then Inside) shows the words that the model would put in place of [MASK], with their probabilities. In the second text the answer stands to the left of [MASK]; in the third text the thing is hidden. Every token sees all tokens, so no cell is masked, and there is no KV cache.</source>
        <translation>Ein kleiner Encoder sagt, welches Wort [MASK] verdeckt. In „[MASK] has a black ball. ... The black ball belongs to Lily.“ ist die Antwort das letzte Wort: Die Zeile von [MASK] in Schicht 2, Kopf 0, liest dieses Wort weit rechts, wo ein Modell, das Text von links nach rechts schreibt, noch nichts sieht. In Schicht 1, Kopf 0, lesen sich der Name, die Farbe und das Ding eines Satzes gegenseitig. Beide Köpfe wurden dazu angeleitet, als das Modell trainiert wurde. Die Ansicht Nächstes Token (Alt+1, dann Innen) zeigt die Wörter, die das Modell an die Stelle von [MASK] setzen würde, mit ihren Wahrscheinlichkeiten. Im zweiten Text steht die Antwort links von [MASK]; im dritten Text ist das Ding verdeckt. Jedes Token sieht alle Token, darum ist keine Zelle maskiert, und es gibt keinen KV-Cache.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/masked-word.json"/>
        <source>Masked word</source>
        <translation>Verdecktes Wort</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/pallas-cached-prompt.json"/>
        <source>Pallas: a prompt with cached tokens</source>
        <translation>Pallas: ein Prompt mit gecachten Token</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/pallas-cached-prompt.json"/>
        <source>Three requests begin with the same text. The first prompt is computed by pallas_flash, in blocks; the others find the blocks of this text in the cache, and pallas_multi_query reads their pages, up to 16 pages and 16 queries at a time. Heads of 64 elements are padded to 128.</source>
        <translation>Drei Anfragen beginnen mit demselben Text. Den ersten Prompt berechnet pallas_flash, in Blöcken; die anderen finden die Blöcke dieses Textes im Cache, und pallas_multi_query liest ihre Seiten, bis zu 16 Seiten und 16 Queries auf einmal. Köpfe mit 64 Elementen werden auf 128 aufgefüllt.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/pallas-megacore.json"/>
        <source>A TPU v5p has two cores. With one KV head the cores share the sequences of a decode step only if the number of sequences is even: one core computes three sequences alone, and both cores share two. Look at the hatched strip of the Timeline: the modelled time falls when the third request has ended, at step 6.</source>
        <translation>Eine TPU v5p hat zwei Kerne. Mit einem KV-Kopf teilen sich die Kerne die Sequenzen eines Decode-Schritts nur, wenn die Zahl der Sequenzen gerade ist: Drei Sequenzen berechnet ein Kern allein, zwei teilen sich beide Kerne. Achte auf den schraffierten Streifen der Zeitachse: Die modellierte Zeit sinkt, wenn die dritte Anfrage fertig ist, bei Schritt 6.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/pallas-megacore.json"/>
        <source>Pallas: two cores share a decode step</source>
        <translation>Pallas: zwei Kerne teilen einen Decode-Schritt</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/pallas-padded.json"/>
        <source>Pallas with padded heads</source>
        <translation>Pallas mit aufgefüllten Köpfen</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/pallas-padded.json"/>
        <source>The heads of the story model have 64 elements, but a TPU needs 128. Every head is padded with zeros: the results stay the same, and the KV cache becomes twice as large. The time on a TPU is modelled.</source>
        <translation>Die Köpfe des Geschichten-Modells haben 64 Elemente, aber eine TPU braucht 128. Jeder Kopf wird mit Nullen aufgefüllt: Die Ergebnisse bleiben dieselben, und der KV-Cache wird doppelt so groß. Die Zeit auf einer TPU ist modelliert.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/pallas-pages.json"/>
        <source>Pallas pages</source>
        <translation>Pallas: Seiten</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/pallas-pages.json"/>
        <source>Synthetic queries and keys with heads of 128 elements, as a TPU needs them. The prompt is computed in blocks of 128 keys by up to 128 queries (fewer queries in a slowed run); decoding fetches pages into two buffers in turn. With two or more threads one of them copies the pages for another that computes; in virtual time the two overlap.</source>
        <translation>Synthetische Queries und Keys mit Köpfen von 128 Elementen, wie eine TPU sie braucht. Der Prompt wird in Blöcken von 128 Keys und bis zu 128 Queries berechnet (weniger Queries in einem verlangsamten Lauf); das Decoding holt Seiten abwechselnd in zwei Puffer. Mit zwei oder mehr Threads kopiert einer die Seiten für einen anderen, der rechnet; in virtueller Zeit überlappt sich beides.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/pallas-split-calls.json"/>
        <source>Pallas: a block table too large for one call</source>
        <translation>Pallas: eine Blocktabelle, zu groß für einen Aufruf</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/pallas-split-calls.json"/>
        <source>With blocks of one token, 64 samples of one long prompt have a block table of more than 512 KiB, the scalar memory of a TPU. So every decode step makes two calls of pallas_paged_decode, for 62 sequences and for 2: look at the Timeline.</source>
        <translation>Mit Blöcken von einem Token haben 64 Samples eines langen Prompts eine Blocktabelle von mehr als 512 KiB, dem skalaren Speicher einer TPU. Darum ruft jeder Decode-Schritt pallas_paged_decode zweimal auf, für 62 Sequenzen und für 2: Sieh in die Zeitachse.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/repeated-words.json"/>
        <source>Repeated words</source>
        <translation>Wiederholte Wörter</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/repeated-words.json"/>
        <source>The prompt has the same ten words three times. From the second time on, some heads read the token that followed the same word before. The tab Heads, ranked by induction, shows these heads first.</source>
        <translation>Der Prompt hat dieselben zehn Wörter dreimal. Vom zweiten Mal an lesen manche Köpfe das Token, das davor auf dasselbe Wort folgte. Die Ansicht Köpfe, sortiert nach Induktion, zeigt diese Köpfe zuerst.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/samples.json"/>
        <source>Four stories from one prompt</source>
        <translation>Vier Geschichten aus einem Prompt</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/samples.json"/>
        <source>One prompt is computed once, and four different stories are sampled from it. They share the blocks of the prompt. The last of these blocks is not full: the first three stories that write into it get a copy first.</source>
        <translation>Ein Prompt wird einmal berechnet, und vier verschiedene Geschichten werden aus ihm gezogen. Sie teilen sich die Blöcke des Prompts. Der letzte dieser Blöcke ist nicht voll: Die ersten drei Geschichten, die in ihn schreiben, bekommen erst eine Kopie.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/shared-prompt.json"/>
        <source>Five requests begin with the same text. The first request computes the blocks of this text; the others find them in the prefix cache and compute only the rest of their prompts. Watch the number on the shared blocks, and how short the later prefills are. TORCH_SDPA computes a prompt with cached tokens only with the option extended.</source>
        <translation>Fünf Anfragen beginnen mit demselben Text. Die erste Anfrage berechnet die Blöcke dieses Textes; die anderen finden sie im Präfix-Cache und berechnen nur den Rest ihrer Prompts. Achte auf die Zahl auf den geteilten Blöcken, und darauf, wie kurz die späteren Prefills sind. TORCH_SDPA berechnet einen Prompt mit gecachten Token nur mit der Option extended.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/shared-prompt.json"/>
        <source>One system prompt for all</source>
        <translation>Ein System-Prompt für alle</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/sliding-window.json"/>
        <source>Sliding window</source>
        <translation>Gleitendes Fenster</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/sliding-window.json"/>
        <source>Tokens that see the needle, the key at position 5, read mostly this key. With the sliding window a token sees only itself and the 15 tokens before it. From row 21 on the needle is outside the window, and its weight is exactly 0.</source>
        <translation>Token, die die Nadel sehen, den Key an Position 5, lesen vor allem diesen Key. Mit dem gleitenden Fenster sieht ein Token nur sich selbst und die 15 Token davor. Ab Zeile 21 liegt die Nadel außerhalb des Fensters, und ihr Gewicht ist genau 0.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/synthetic-induction.json"/>
        <source>Synthetic: induction</source>
        <translation>Synthetisch: Induktion</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/synthetic-induction.json"/>
        <source>Without a model: synthetic queries and keys for a prompt that repeats every 16 tokens. From row 16 on, a token mostly reads the tokens that followed its earlier occurrences.</source>
        <translation>Ohne Modell: Synthetische Queries und Keys für einen Prompt, der sich alle 16 Token wiederholt. Ab Zeile 16 liest ein Token vor allem die Token, die auf seine früheren Vorkommen folgten.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/synthetic-needle.json"/>
        <source>Synthetic: needle</source>
        <translation>Synthetisch: Nadel</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/synthetic-needle.json"/>
        <source>Without a model: the key at position 21 is a needle. From this position on, tokens mostly read the needle, however long the sequence becomes.</source>
        <translation>Ohne Modell: Der Key an Position 21 ist eine Nadel. Ab dieser Position lesen die Token vor allem die Nadel, wie lang die Sequenz auch wird.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/torch-partitions.json"/>
        <source>The long context has more than 512 tokens, so here paged attention v2 decodes: the keys are cut into partitions of 512 tokens, each with a softmax of its own, and a second kernel, paged_reduce, merges them. In Tiles, choose paged_decode_v2 and go through the partitions.</source>
        <translation>Der lange Kontext hat mehr als 512 Token, darum decodiert hier Paged Attention v2: Die Keys werden in Abschnitte von 512 Token geschnitten, jeder mit einer eigenen Softmax, und ein zweiter Kernel, paged_reduce, verbindet sie. Wähle in den Kacheln paged_decode_v2, und geh durch die Abschnitte.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/torch-partitions.json"/>
        <source>Torch SDPA: a long context in partitions</source>
        <translation>Torch SDPA: langer Kontext in Abschnitten</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/xformers-alibi.json"/>
        <source>Three prompts of different lengths with linear biases. A packed call of several sequences takes no tensor of biases, so with ALiBi there is one call for each sequence, with a bias tensor whose rows are padded to a multiple of 8. Look at the first step in the Timeline: three calls of memory_efficient_prefill.</source>
        <translation>Drei Prompts verschiedener Länge mit linearen Biases. Ein gepackter Aufruf mehrerer Sequenzen nimmt keinen Tensor von Biases, darum gibt es mit ALiBi einen Aufruf je Sequenz, mit einem Bias-Tensor, dessen Zeilen auf ein Vielfaches von 8 aufgefüllt sind. Sieh dir den ersten Schritt in der Zeitachse an: drei Aufrufe von memory_efficient_prefill.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/xformers-alibi.json"/>
        <source>xFormers: ALiBi with three prompts</source>
        <translation>xFormers: ALiBi mit drei Prompts</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/xformers-cached-prompt.json"/>
        <source>Three requests begin with the same text. The first prompt is computed by memory_efficient_prefill; the others find the blocks of this text in the cache, and prefix_prefill reads first the pages and then the new tokens. In the heatmap of a later request the rows of the cached tokens are not computed.</source>
        <translation>Drei Anfragen beginnen mit demselben Text. Den ersten Prompt berechnet memory_efficient_prefill; die anderen finden die Blöcke dieses Textes im Cache, und prefix_prefill liest erst die Seiten und dann die neuen Token. In der Heatmap einer späteren Anfrage sind die Zeilen der gecachten Token nicht berechnet.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/xformers-cached-prompt.json"/>
        <source>xFormers: a prompt with cached tokens</source>
        <translation>xFormers: ein Prompt mit gecachten Token</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/xformers-or-torch.json"/>
        <source>Packed batch or one call each</source>
        <translation>Gepackter Batch oder einzelne Aufrufe</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/xformers-or-torch.json"/>
        <source>Sixteen short prompts: xformers computes all of them in one call of memory_efficient_prefill, torch_sdpa in sixteen calls of flash_prefill. In Compare both kernels stand below each other, each with its time and its number of calls; the outputs agree.</source>
        <translation>Sechzehn kurze Prompts: xformers berechnet alle in einem Aufruf von memory_efficient_prefill, torch_sdpa in sechzehn Aufrufen von flash_prefill. Im Vergleich stehen beide Kernel untereinander, jeder mit seiner Zeit und der Zahl seiner Aufrufe; die Ausgaben stimmen überein.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/xformers-packed.json"/>
        <source>Four prompts of different lengths are computed in one memory-efficient attention call. A query never reads the keys of another prompt.</source>
        <translation>Vier Prompts verschiedener Länge werden in einem Aufruf der Memory-Efficient-Attention berechnet. Eine Query liest nie die Keys eines anderen Prompts.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/xformers-packed.json"/>
        <source>xFormers packed batch</source>
        <translation>xFormers: gepackter Batch</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/xformers-partitions.json"/>
        <source>The prompts are one packed call of memory_efficient_prefill; after that, paged attention v2 reads the long context in partitions of 512 tokens and merges them. Look at the Timeline: every step after the first has paged_decode_v2 and then paged_reduce.</source>
        <translation>Die Prompts sind ein gepackter Aufruf von memory_efficient_prefill; danach liest Paged Attention v2 den langen Kontext in Abschnitten von 512 Token und verbindet sie. Sieh in die Zeitachse: Jeder Schritt nach dem ersten hat paged_decode_v2 und dann paged_reduce.</translation>
    </message>
    <message>
        <location filename="../../assets/scenarios/xformers-partitions.json"/>
        <source>xFormers: a long context in partitions</source>
        <translation>xFormers: langer Kontext in Abschnitten</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>%1 KV heads</source>
        <translation>%1 KV-Köpfe</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>%1 are</source>
        <translation>sind %1</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>%1 blocks</source>
        <translation>%1 Blöcke</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>%1 cached tokens, which are read from the pages together with the new ones.</source>
        <translation>%1 gecachte Token, die zusammen mit den neuen aus den Seiten gelesen werden.</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>%1 cores</source>
        <translation>%1 Kerne</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>%1 for %2: the worker of a core copies the pages of the next compute block before it computes the present one, so nothing overlaps. Overlapping needs two workers per core.</source>
        <translation>%1 für %2: Der Worker eines Kerns kopiert die Seiten des nächsten Rechenblocks, bevor er den jetzigen berechnet, darum überlappt sich nichts. Zum Überlappen sind zwei Worker je Kern nötig.</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>%1 for %2: while the worker of a core computes a block, another one copies the pages of the next.</source>
        <translation>%1 für %2: Während der Worker eines Kerns einen Block berechnet, kopiert ein anderer die Seiten des nächsten.</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>%1 padded to a multiple of %2: %3, of which %4 padding.</source>
        <translation>%1 auf ein Vielfaches von %2 aufgefüllt: %3, davon %4 Padding.</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <location filename="../../backends/xformers/biases.cpp"/>
        <source>%1 prompts have</source>
        <translation>%1 Prompts haben</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>%1 rows are</source>
        <translation>%1 Zeilen sind</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>%1 sequences</source>
        <translation>%1 Sequenzen</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>%1 workers</source>
        <translation>%1 Worker</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>1 KV head</source>
        <translation>1 KV-Kopf</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>1 block</source>
        <translation>1 Block</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>1 core</source>
        <translation>1 Kern</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>1 is</source>
        <translation>ist 1</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <location filename="../../backends/xformers/biases.cpp"/>
        <source>1 prompt has</source>
        <translation>1 Prompt hat</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>1 row is</source>
        <translation>1 Zeile ist</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>1 sequence</source>
        <translation>1 Sequenz</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>1 worker</source>
        <translation>1 Worker</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>1 worker: it copies the pages of the next compute block before it computes the present one, so nothing overlaps.</source>
        <translation>1 Worker: Er kopiert die Seiten des nächsten Rechenblocks, bevor er den jetzigen berechnet, darum überlappt sich nichts.</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>Block table in scalar memory: %1 x %2 x 4 bytes = %3 of %4 bytes, so one call.</source>
        <translation>Blocktabelle im skalaren Speicher: %1 × %2 × 4 Byte = %3 von %4 Byte, also ein Aufruf.</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>Block table in scalar memory: %1 x %2 x 4 bytes = %3 of %4 bytes; %5 x 4 bytes for each sequence, so at most %6 per call, rounded down to an even number: call %7 of %8.</source>
        <translation>Blocktabelle im skalaren Speicher: %1 × %2 × 4 Byte = %3 von %4 Byte; %5 × 4 Byte für jede Sequenz, also höchstens %6 je Aufruf, abgerundet auf eine gerade Zahl: Aufruf %7 von %8.</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>Compute blocks of up to %1 pages: %2 on core 0, %3 on core 1.</source>
        <translation>Rechenblöcke von bis zu %1 Seiten: %2 auf Kern 0, %3 auf Kern 1.</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>Compute blocks of up to %1 pages: %2 on core 0.</source>
        <translation>Rechenblöcke von bis zu %1 Seiten: %2 auf Kern 0.</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>Megacore mode batch (%1 and %2): core 0 takes sequences 0, 2, ... of the call, core 1 takes 1, 3, ...</source>
        <translation>Megacore-Modus batch (%1 und %2): Kern 0 nimmt die Sequenzen 0, 2, ... des Aufrufs, Kern 1 nimmt 1, 3, ...</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>Megacore mode kv_head (%1 and %2): core 0 takes KV heads 0, 2, ..., core 1 takes 1, 3, ...</source>
        <translation>Megacore-Modus kv_head (%1 und %2): Kern 0 nimmt die KV-Köpfe 0, 2, ..., Kern 1 nimmt 1, 3, ...</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>Megacore mode none (%1 and %2, both odd): one core does everything.</source>
        <translation>Megacore-Modus none (%1 und %2, beide ungerade): Ein Kern macht alles.</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>Megacore mode none: a TPU %1 has one core.</source>
        <translation>Megacore-Modus none: Eine TPU %1 hat einen Kern.</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>The prompt has no cached tokens: flash attention, in a call of its own.</source>
        <translation>Der Prompt hat keine gecachten Token: Flash-Attention, in einem eigenen Aufruf.</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <source>The work is estimated at %1 us, less than the %2 us for which a worker is woken on the real clock: one worker does all of it, and copies the pages of the next compute block before it computes the present one.</source>
        <translation>Die Arbeit wird auf %1 µs geschätzt, weniger als die %2 µs, für die auf der echten Uhr ein Worker geweckt wird: Ein Worker macht alles und kopiert die Seiten des nächsten Rechenblocks, bevor er den jetzigen berechnet.</translation>
    </message>
    <message>
        <location filename="../../backends/pallas/pallas_calls.cpp"/>
        <location filename="../../backends/torch_sdpa/masks.cpp"/>
        <location filename="../../engine/kernels/paged_backend.cpp"/>
        <source>rule in the kernel</source>
        <translation>Regel im Kernel</translation>
    </message>
    <message>
        <location filename="../../backends/reference/backend.cpp"/>
        <source>One row of one head after the other: first its scores, then its weights and its output.</source>
        <translation>Eine Zeile eines Kopfes nach der anderen: zuerst ihre Scores, dann ihre Gewichte und ihre Ausgabe.</translation>
    </message>
    <message>
        <location filename="../../backends/torch_sdpa/backend.cpp"/>
        <source>The operator takes one prompt at a time. The kernel math first computes all scores of the prompt.</source>
        <translation>Der Operator nimmt jeweils nur einen Prompt. Der Kernel math berechnet zuerst alle Scores des Prompts.</translation>
    </message>
    <message>
        <location filename="../../backends/torch_sdpa/backend.cpp"/>
        <source>The operator takes one prompt at a time: one call each.</source>
        <translation>Der Operator nimmt jeweils nur einen Prompt: ein Aufruf je Prompt.</translation>
    </message>
    <message>
        <location filename="../../backends/torch_sdpa/backend.cpp"/>
        <source>Then the scores become weights.</source>
        <translation>Dann werden aus den Scores Gewichte.</translation>
    </message>
    <message>
        <location filename="../../backends/torch_sdpa/backend.cpp"/>
        <source>Then the weights are multiplied by the values.</source>
        <translation>Dann werden die Gewichte mit den Values multipliziert.</translation>
    </message>
    <message>
        <location filename="../../backends/unified/backend.cpp"/>
        <source>One call for all prompts.</source>
        <translation>Ein Aufruf für alle Prompts.</translation>
    </message>
    <message>
        <location filename="../../backends/xformers/biases.cpp"/>
        <source>%1 cached tokens, so context attention takes all prompts of the batch and reads these tokens from the pages.</source>
        <translation>%1 gecachte Token; darum nimmt Context-Attention alle Prompts des Batches und liest diese Token aus den Seiten.</translation>
    </message>
    <message>
        <location filename="../../backends/xformers/biases.cpp"/>
        <source>The prompts are packed one after the other: one call for all of them.</source>
        <translation>Die Prompts sind hintereinander gepackt: ein Aufruf für alle.</translation>
    </message>
    <message>
        <location filename="../../backends/xformers/biases.cpp"/>
        <source>With ALiBi each prompt has its own bias tensor: one call each.</source>
        <translation>Mit ALiBi hat jeder Prompt seinen eigenen Bias-Tensor: ein Aufruf je Prompt.</translation>
    </message>
    <message>
        <location filename="../../backends/xformers/biases.cpp"/>
        <source>rule in context attention</source>
        <translation>Regel in der Context-Attention</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>%1 for %2: a task reads keys of one sequence and one KV head once for up to %3; long sequences are cut along the keys.</source>
        <translation>%1 für %2: Eine Aufgabe liest Keys einer Sequenz und eines KV-Kopfs nur einmal für bis zu %3; lange Sequenzen werden entlang der Keys zerlegt.</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/points/points_scene.cpp"/>
        <source>%1 keys</source>
        <translation>%1 Keys</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>%1 pairs of (sequence, head) are computed in several parts, each with its own maximum, sum and output, and then merged in order of position.</source>
        <translation>%1 Paare (Sequenz, Kopf) werden in mehreren Teilen berechnet, jeder mit eigenem Maximum, eigener Summe und eigener Ausgabe, die dann nach der Position verbunden werden.</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>%1 partitions</source>
        <translation>%1 Abschnitten</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>%1 query heads</source>
        <translation>%1 Query-Köpfe</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>%1 tasks</source>
        <translation>%1 Aufgaben</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_scene.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/views/circuits/circuits_painter.cpp"/>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/rotary/rotary_tour.cpp"/>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>%1: one per sequence and head, not cut along the keys.</source>
        <translation>%1: eine je Sequenz und Kopf, nicht entlang der Keys zerlegt.</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>%1: one per sequence, head and partition of %2 tokens.</source>
        <translation>%1: eine je Sequenz, Kopf und Abschnitt von %2 Token.</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/points/points_scene.cpp"/>
        <source>1 key</source>
        <translation>1 Key</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>1 pair of (sequence, head) is computed in several parts, each with its own maximum, sum and output, and then merged in order of position.</source>
        <translation>1 Paar (Sequenz, Kopf) wird in mehreren Teilen berechnet, jeder mit eigenem Maximum, eigener Summe und eigener Ausgabe, die dann nach der Position verbunden werden.</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>1 partition</source>
        <translation>1 Abschnitt</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>1 query head</source>
        <translation>1 Query-Kopf</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>1 task</source>
        <translation>1 Aufgabe</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_scene.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/views/circuits/circuits_painter.cpp"/>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/rotary/rotary_tour.cpp"/>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>Exactness fast: a task merges its keys into one partial result, so the last digits can depend on where sequences are cut. In this step a task has up to %1.</source>
        <translation>Exactness „fast“: Eine Aufgabe verbindet ihre Keys zu einem Teilergebnis; die letzten Ziffern können darum davon abhängen, wo Sequenzen zerlegt werden. In diesem Schritt hat eine Aufgabe bis zu %1.</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>No row has more than one part, so nothing is merged.</source>
        <translation>Keine Zeile hat mehr als einen Teil, darum wird nichts verbunden.</translation>
    </message>
    <message>
        <location filename="../../engine/kernels/planned_calls.cpp"/>
        <source>v1 is used if the longest sequence has at most 8192 tokens and either fits one partition of %1 or sequences x heads are more than 512. Here the longest has %2 in %3, and %4 x %5 = %6: %7.</source>
        <translation>v1 wird benutzt, wenn die längste Sequenz höchstens 8192 Token hat und entweder in einen Abschnitt von %1 passt oder Sequenzen × Köpfe mehr als 512 sind. Hier hat die längste %2 in %3, und %4 × %5 = %6: %7.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/message_bar.cpp"/>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/message_bar.cpp"/>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/message_bar.cpp"/>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <location filename="../../gui/views/inspector/inspector_view.cpp"/>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/pace.cpp"/>
        <source>%1 tiles/s</source>
        <translation>%1 Kach./s</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/pace.cpp"/>
        <source>Full speed</source>
        <translation>Volles Tempo</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>%1. Choose a shipped scenario or open a file.</source>
        <translation>%1. Wähle ein mitgeliefertes Szenario, oder öffne eine Datei.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>A kernel is one operation on the batch or on a part of it, for example an attention call.</source>
        <translation>Ein Kernel ist eine Operation auf dem Batch oder einem Teil davon, zum Beispiel ein Attention-Aufruf.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>A layer computes attention once, with the operations before and after it.</source>
        <translation>Eine Schicht berechnet einmal Attention, mit den Operationen davor und danach.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>A tile is a part of an attention kernel: some queries with some keys.</source>
        <translation>Eine Kachel ist ein Teil eines Attention-Kernels: einige Queries mit einigen Keys.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>Again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <location filename="../../gui/app/bars/time_bar.cpp"/>
        <source>An engine step computes at most one batch: prefills, decodes or both.</source>
        <translation>Ein Engine-Schritt berechnet höchstens einen Batch: Prefills, Decodes oder beides.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>For this backend, heads of this size are padded with zeros.</source>
        <translation>Für dieses Backend werden Köpfe dieser Größe mit Nullen aufgefüllt.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <location filename="../../gui/app/help/help_page.cpp"/>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>Help: this window, its keys, documents and more</source>
        <translation>Hilfe: dieses Fenster, seine Tasten, Dokumente und mehr</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <location filename="../../gui/widgets/request/head_view.cpp"/>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <location filename="../../gui/views/lessons/lesson_list.cpp"/>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Lessons</source>
        <translation>Lektionen</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>Lessons, hand-outs and results of a class</source>
        <translation>Lektionen, Arbeitsblätter und Ergebnisse einer Klasse</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>More of the toolbar</source>
        <translation>Mehr von der Werkzeugleiste</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>Pace, tiles per second</source>
        <translation>Tempo, Kacheln pro Sekunde</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>Pace: the most attention tiles per second, by all workers together; the right end is full speed.</source>
        <translation>Tempo: höchstens so viele Attention-Kacheln pro Sekunde, von allen Workern zusammen; ganz rechts ist volles Tempo.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <location filename="../../gui/widgets/canvas.cpp"/>
        <source>Run</source>
        <translation>Start</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>The attention backend is the code that computes attention.</source>
        <translation>Das Attention-Backend ist der Code, der Attention berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>The scenario and its source. Choose a shipped scenario or open a file.</source>
        <translation>Das Szenario und seine Quelle. Wähle ein mitgeliefertes Szenario, oder öffne eine Datei.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Tile</source>
        <translation>Kachel</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>Unit that Next computes</source>
        <translation>Einheit, die „Weiter“ berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>View: panels, layout, appearance and more</source>
        <translation>Ansicht: Bereiche, Anordnung, Aussehen und mehr</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>What has no room in the toolbar</source>
        <translation>Was in der Werkzeugleiste keinen Platz hat</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>synthetic %1</source>
        <translation>synthetisch: %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/run_bar.cpp"/>
        <source>tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>%1 tokens/s</source>
        <translation>%1 Token/s</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>Blocks of the KV cache in use at the step that is shown.</source>
        <translation>Belegte Blöcke des KV-Caches beim gezeigten Schritt.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>Earlier run</source>
        <translation>Früherer Lauf</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>Generated tokens per second over at most the last 32 steps, on the run's clock; time without a request is left out.</source>
        <translation>Erzeugte Token pro Sekunde in den letzten, höchstens 32 Schritten, nach der Uhr des Laufs; Zeit ohne Anfrage zählt nicht.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>Idle</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>KV used %1 / %2 blocks</source>
        <translation>KV belegt: %1 / %2 Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>Loading</source>
        <translation>Lädt</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>Newer run</source>
        <translation>Neuerer Lauf</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>Note: %1</source>
        <translation>Notiz: %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>Saved run</source>
        <translation>Gespeicherter Lauf</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>Starting</source>
        <translation>Startet</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>Stepping</source>
        <translation>Schritt läuft</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>The state of the run.</source>
        <translation>Der Zustand des Laufs.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>The step under way, and the layer that it has reached.</source>
        <translation>Der laufende Schritt und die Schicht, die er erreicht hat.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>This run uses the virtual clock: its times come from a cost model.</source>
        <translation>Dieser Lauf benutzt die virtuelle Uhr: Seine Zeiten kommen aus einem Kostenmodell.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>Trace events that were recorded, and those that were lost because a ring buffer was full.</source>
        <translation>Aufgezeichnete Ereignisse, und solche, die verloren gingen, weil ein Ringpuffer voll war.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>events %1 · dropped %2</source>
        <translation>Ereignisse %1 · verloren %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>step %1: encoder layer %2 (0..%3)</source>
        <translation>Schritt %1: Encoder-Schicht %2 (0..%3)</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>step %1: layer %2 (0..%3)</source>
        <translation>Schritt %1: Schicht %2 (0..%3)</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/status_line.cpp"/>
        <source>times modelled</source>
        <translation>Zeiten modelliert</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/step_progress_bar.cpp"/>
        <source>How much of the layer's attention is done</source>
        <translation>Wie viel der Attention dieser Schicht fertig ist</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/step_progress_bar.cpp"/>
        <source>The step under way: its layer, and how much of that layer's attention is done.</source>
        <translation>Der laufende Schritt: seine Schicht, und wie viel von deren Attention fertig ist.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/step_progress_bar.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/teach_line.cpp"/>
        <source>%1

Click to write another prompt.</source>
        <translation>%1

Klick, um einen anderen Prompt zu schreiben.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/teach_line.cpp"/>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/teach_line.cpp"/>
        <location filename="../../gui/models/run/run_opening.cpp"/>
        <location filename="../../gui/views/attention/heatmap/figure/heads_figure.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_scene.cpp"/>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <location filename="../../gui/views/timeline/range/range_sums.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <location filename="../../gui/views/words/words_painter.cpp"/>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/teach_line.cpp"/>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/time_bar.cpp"/>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/time_bar.cpp"/>
        <source>Show the newest step</source>
        <translation>Den neuesten Schritt zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/time_bar.cpp"/>
        <source>Show the newest step and follow the run (Ctrl+End)</source>
        <translation>Den neuesten Schritt zeigen und dem Lauf folgen (Strg+Ende)</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/time_bar.cpp"/>
        <source>Show the next step (Ctrl+Right)</source>
        <translation>Den nächsten Schritt zeigen (Strg+Rechts)</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/time_bar.cpp"/>
        <source>Show the previous step (Ctrl+Left)</source>
        <translation>Den vorigen Schritt zeigen (Strg+Links)</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/time_bar.cpp"/>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Step back</source>
        <translation>Schritt zurück</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/time_bar.cpp"/>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Step forward</source>
        <translation>Schritt vor</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/time_bar.cpp"/>
        <source>Step shown</source>
        <translation>Gezeigter Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/time_bar.cpp"/>
        <source>The step that most views show.</source>
        <translation>Der Schritt, den die meisten Ansichten zeigen.</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/time_bar.cpp"/>
        <source>There is no step to go back to</source>
        <translation>Es gibt keinen Schritt, zu dem man zurückgehen könnte</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/time_bar.cpp"/>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/inspector/inspector_free_block.cpp"/>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <location filename="../../gui/views/timeline/search/timeline_search.cpp"/>
        <location filename="../../gui/views/timeline/timeline_ruler.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/bars/time_bar.cpp"/>
        <source>step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>%1, step %2 of %3: %4</source>
        <translation>%1, Schritt %2 von %3: %4</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>Beside</source>
        <translation>Daneben</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>Beside, modelled</source>
        <translation>Daneben, modelliert</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>Beside: %1</source>
        <translation>Daneben: %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>Close the run beside</source>
        <translation>Den Lauf daneben schließen</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>Close this run.</source>
        <translation>Diesen Lauf schließen.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>Copy the numbers of both runs</source>
        <translation>Die Zahlen beider Läufe kopieren</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>Copy the table of numbers.</source>
        <translation>Die Zahlentabelle kopieren.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <source>Difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>In the window</source>
        <translation>Im Fenster</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>Number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>Numbers of both runs</source>
        <translation>Zahlen beider Läufe</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <location filename="../../gui/models/request_model.cpp"/>
        <location filename="../../gui/views/workload/scenario_form.cpp"/>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>Show the numbers of both runs.</source>
        <translation>Die Zahlen beider Läufe zeigen.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>The number beside minus the one in the window, and their ratio.</source>
        <translation>Die Zahl daneben minus die im Fenster, und ihr Verhältnis.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>The prompts of the shown request differ.</source>
        <translation>Die Prompts der gezeigten Anfrage sind verschieden.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>Times of this run are modelled and those of the other are measured, so they have no difference.</source>
        <translation>Die Zeiten dieses Laufs sind modelliert und die des anderen gemessen, daher haben sie keine Differenz.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>Views of the run beside</source>
        <translation>Ansichten des Laufs daneben</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>Window, modelled</source>
        <translation>Fenster, modelliert</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <source>it is being opened</source>
        <translation>er wird geöffnet</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/beside_panel.cpp"/>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <source>untitled</source>
        <translation>ohne Namen</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source> (×%1)</source>
        <translation> (×%1)</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source> The time is modelled.</source>
        <translation> Die Zeit ist modelliert.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <location filename="../../gui/views/timeline/range/range_sums.cpp"/>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>Block size</source>
        <translation>Blockgröße</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Blocks copied</source>
        <translation>Kopierte Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Blocks evicted</source>
        <translation>Verworfene Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Blocks moved to the swap pool.</source>
        <translation>Blöcke, die in den Auslagerungsspeicher kamen.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Blocks swapped out</source>
        <translation>Ausgelagerte Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Blocks that were copied before a sequence wrote into a block that it shares with others.</source>
        <translation>Blöcke, die kopiert wurden, bevor eine Sequenz in einen Block schrieb, den sie mit anderen teilt.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Cached blocks that were taken for other tokens.</source>
        <translation>Gecachte Blöcke, die für andere Token genommen wurden.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Decode tokens computed</source>
        <translation>Im Decode berechnete Token</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Empty slots as a share of all slots of the blocks in use, both added up over the steps.</source>
        <translation>Anteil der leeren Slots an allen Slots der belegten Blöcke, beides über die Schritte summiert.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Engine steps that have ended.</source>
        <translation>Engine-Schritte, die zu Ende sind.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Generated per second</source>
        <translation>Pro Sekunde erzeugt</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Generated tokens</source>
        <translation>Erzeugte Token</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Generated tokens divided by the time of the run in which there was a request.</source>
        <translation>Erzeugte Token geteilt durch die Zeit des Laufs, in der es eine Anfrage gab.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>How often a running request had to give up its blocks.</source>
        <translation>Wie oft eine laufende Anfrage ihre Blöcke hergeben musste.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <location filename="../../gui/views/timeline/timeline_painter.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>KV cache</source>
        <translation>KV-Cache</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Mean time from one generated token to the next (TPOT), as the mean over the requests with two tokens or more.</source>
        <translation>Mittlere Zeit von einem erzeugten Token zum nächsten (TPOT), als Mittel über die Anfragen mit mindestens zwei Token.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Memory of the KV cache, without the swap pool.</source>
        <translation>Speicher des KV-Caches, ohne den Auslagerungsspeicher.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Most blocks used</source>
        <translation>Meiste belegte Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Preemptions</source>
        <translation>Verdrängungen</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Prefill tokens computed</source>
        <translation>Im Prefill berechnete Token</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Requests of the run. Each sample and each beam counts as one, also a dropped beam.</source>
        <translation>Anfragen des Laufs. Jedes Sample und jeder Beam zählt als eine, auch ein fallen gelassener Beam.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Requests that ended</source>
        <translation>Beendete Anfragen</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Requests that have finished, were refused or were stopped.</source>
        <translation>Anfragen, die fertig sind, abgelehnt oder abgebrochen wurden.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>The most blocks of the KV cache that were in use after a step.</source>
        <translation>Die meisten Blöcke des KV-Caches, die nach einem Schritt belegt waren.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Time from the arrival of a request to its first token (TTFT), as the mean over the requests that have one.</source>
        <translation>Zeit von der Ankunft einer Anfrage bis zu ihrem ersten Token (TTFT), als Mittel über die Anfragen, die eines haben.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Time from the beginning of the first step to the end of the last step that is shown.</source>
        <translation>Zeit vom Beginn des ersten Schritts bis zum Ende des letzten Schritts, der gezeigt wird.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Time in attention</source>
        <translation>Zeit in Attention</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Time in the scheduler</source>
        <translation>Zeit im Scheduler</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Time in the scheduler, added up over the steps.</source>
        <translation>Zeit im Scheduler, über die Schritte summiert.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Time of the attention calls, added up over the steps.</source>
        <translation>Zeit der Attention-Aufrufe, über die Schritte summiert.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>Time per output token</source>
        <translation>Zeit pro Ausgabe-Token</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>Time to first token</source>
        <translation>Zeit bis zum ersten Token</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Tokens for which a block of the KV cache has slots.</source>
        <translation>Tokens, für die ein Block des KV-Cache Slots hat.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Tokens found in the cache</source>
        <translation>Im Cache gefundene Token</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Tokens that admitted requests found in the prefix cache.</source>
        <translation>Token, die zugelassene Anfragen im Präfix-Cache fanden.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Tokens that decodes computed, one per sequence and step.</source>
        <translation>Token, die Decodes berechnet haben, eines pro Sequenz und Schritt.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Tokens that prefills computed, also those computed again after a preemption.</source>
        <translation>Token, die Prefills berechnet haben, auch die nach einer Verdrängung noch einmal berechneten.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Tokens that were sampled.</source>
        <translation>Token, die gezogen wurden.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>Waste</source>
        <translation>Verschwendung</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/run_numbers.cpp"/>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/window_beside.cpp"/>
        <source>Sessions (*.%1);;All files (*)</source>
        <translation>Sitzungen (*.%1);;Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/window_beside.cpp"/>
        <source>Show a session beside this run</source>
        <translation>Eine Sitzung neben diesem Lauf zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/window_beside.cpp"/>
        <source>The column was closed, because the run before this one was not kept.</source>
        <translation>Die Spalte wurde geschlossen, weil der Lauf vor diesem nicht behalten wurde.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/window_beside.cpp"/>
        <source>The run cannot be shown beside this one: the system gives no thread (%1).</source>
        <translation>Der Lauf kann nicht neben diesem gezeigt werden: Das System gibt keinen Thread (%1).</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/window_beside.cpp"/>
        <source>There is no earlier run to show beside this one. Session beside… shows a saved one.</source>
        <translation>Es gibt keinen früheren Lauf, der neben diesem stehen könnte. „Sitzung daneben…“ zeigt einen gespeicherten.</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/window_beside.cpp"/>
        <source>the newer run</source>
        <translation>der neuere Lauf</translation>
    </message>
    <message>
        <location filename="../../gui/app/beside/window_beside.cpp"/>
        <source>the run before</source>
        <translation>der Lauf davor</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>All commands…</source>
        <translation>Alle Befehle…</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>All lessons…</source>
        <translation>Alle Lektionen…</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Attention only</source>
        <translation>Nur Attention</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <location filename="../../gui/app/help/help_page.cpp"/>
        <location filename="../../gui/app/tours/tour_card.cpp"/>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Begin a tour of the view that has the keyboard focus, or else of the view %1</source>
        <translation>Eine Führung durch die Ansicht mit dem Tastaturfokus beginnen, sonst durch die Ansicht %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Clear selection</source>
        <translation>Auswahl aufheben</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <location filename="../../gui/views/inspector/inspector_view.cpp"/>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Clear the selection</source>
        <translation>Die Auswahl aufheben</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Compute one unit (tile of the shown head, kernel, layer or step), then pause</source>
        <translation>Eine Einheit berechnen (Kachel des gezeigten Kopfes, Kernel, Schicht oder Schritt), dann anhalten</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>Copy the picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Copy the picture of the view that has the keyboard focus, or else of the view %1</source>
        <translation>Das Bild der Ansicht kopieren, die den Tastaturfokus hat, sonst das der Ansicht %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Difference of weights, beside</source>
        <translation>Differenz der Gewichte, daneben</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Explain the view that has the keyboard focus, or else the view %1</source>
        <translation>Die Ansicht erklären, die den Tastaturfokus hat, sonst die Ansicht %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Explain the window and its panels</source>
        <translation>Das Fenster und seine Bereiche erklären</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Explain what is under the mouse pointer</source>
        <translation>Erklären, was unter dem Mauszeiger ist</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Explore</source>
        <translation>Erkunden</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Export pictures, numbers or a report</source>
        <translation>Bilder, Zahlen oder einen Bericht exportieren</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Find a command by its name, or go to a step, block, request, token, layer or head</source>
        <translation>Einen Befehl nach seinem Namen finden, oder zu einem Schritt, Block, Kopf, Token, einer Anfrage oder Schicht gehen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>First step</source>
        <translation>Erster Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Go back to what the window showed before</source>
        <translation>Zurück zu dem, was das Fenster vorher zeigte</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Go forward again, after Back</source>
        <translation>Wieder vorwärts, nach Zurück</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Hide the panels around Attention, or show them again</source>
        <translation>Die Bereiche um Attention verbergen oder wieder zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Larger text</source>
        <translation>Größerer Text</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Larger text, up to 200%</source>
        <translation>Größerer Text, bis 200%</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Layout Explore: every panel</source>
        <translation>Anordnung Erkunden: alle Bereiche</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Layout Systems: the panels Blocks and Timeline are large</source>
        <translation>Anordnung Systeme: die Bereiche Blöcke und Zeitachse sind groß</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Layout Teach: large text and at most three panels, for a projector</source>
        <translation>Anordnung Unterricht: großer Text und höchstens drei Bereiche, für einen Projektor</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>Light or dark</source>
        <translation>Hell oder dunkel</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>List the models on this machine, and open one</source>
        <translation>Die Modelle auf diesem Rechner auflisten und eines öffnen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Make an edit or a change of a note again, after Undo</source>
        <translation>Eine Änderung des Szenarios oder einer Notiz nach „Rückgängig“ wieder machen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Menu of the view</source>
        <translation>Menü der Ansicht</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Models…</source>
        <translation>Modelle…</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <location filename="../../gui/app/tours/tour_card.cpp"/>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Next note</source>
        <translation>Nächste Notiz</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Note on this step…</source>
        <translation>Notiz zu diesem Schritt…</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Open a file that was opened or saved before</source>
        <translation>Eine Datei öffnen, die schon geöffnet oder gespeichert wurde</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Open a scenario, a model, tensors, a saved session or a lesson</source>
        <translation>Ein Szenario, ein Modell, Tensoren, eine gespeicherte Sitzung oder eine Lektion öffnen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Open recent…</source>
        <translation>Zuletzt benutzt…</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Open the context menu of what has the keyboard focus</source>
        <translation>Das Kontextmenü dessen öffnen, was den Tastaturfokus hat</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Previous note</source>
        <translation>Vorige Notiz</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Put the panels of this layout back in their places</source>
        <translation>Die Bereiche dieser Anordnung an ihre Plätze zurücksetzen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Reset layout</source>
        <translation>Anordnung zurücksetzen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Run or pause</source>
        <translation>Starten oder anhalten</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Save layout as…</source>
        <translation>Anordnung speichern als…</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>Save session…</source>
        <translation>Sitzung speichern…</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Save the arrangement of the panels under a name</source>
        <translation>Die Anordnung der Bereiche unter einem Namen speichern</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Save the run and its notes in a file</source>
        <translation>Den Lauf und seine Notizen in einer Datei speichern</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Save the scenario</source>
        <translation>Das Szenario speichern</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Save…</source>
        <translation>Speichern…</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Session beside…</source>
        <translation>Sitzung daneben…</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Show a saved session in a second column beside this run</source>
        <translation>Eine gespeicherte Sitzung in einer zweiten Spalte neben diesem Lauf zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Show all keys</source>
        <translation>Alle Tasten zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Show how the attention weights of this run and of the run beside differ; opens the run before if no run is beside</source>
        <translation>Zeigen, wie sich die Attention-Gewichte dieses Laufs und des Laufs daneben unterscheiden; öffnet den Lauf davor, wenn keiner daneben ist</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Show the list of lessons, or go to the lesson that is open</source>
        <translation>Die Liste der Lektionen zeigen, oder zur geöffneten Lektion gehen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Show the newest step and follow the run</source>
        <translation>Den neuesten Schritt zeigen und dem Lauf folgen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Show the next step</source>
        <translation>Den nächsten Schritt zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Show the next step that has a note</source>
        <translation>Den nächsten Schritt mit einer Notiz zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Show the oldest step of the history</source>
        <translation>Den ältesten Schritt der Geschichte zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Show the previous step</source>
        <translation>Den vorigen Schritt zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Show the previous step that has a note</source>
        <translation>Den vorigen Schritt mit einer Notiz zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Show the run before this one in a second column, or close that column</source>
        <translation>Den Lauf vor diesem in einer zweiten Spalte zeigen, oder diese Spalte schließen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Smaller text</source>
        <translation>Kleinerer Text</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Smaller text, down to 100%</source>
        <translation>Kleinerer Text, bis 100%</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Stop the run; a step under way is dropped</source>
        <translation>Den Lauf stoppen; der laufende Schritt fällt weg</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Switch between light and dark</source>
        <translation>Zwischen hell und dunkel wechseln</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Systems</source>
        <translation>Systeme</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Take back the last edit of the scenario, change of a note or added request, or go back to the run before</source>
        <translation>Die letzte Änderung des Szenarios oder einer Notiz oder die letzte hinzugefügte Anfrage zurücknehmen, oder zurück zum Lauf davor</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Teach</source>
        <translation>Unterricht</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>The run before, beside</source>
        <translation>Der Lauf davor, daneben</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>What am I looking at?</source>
        <translation>Was sehe ich hier?</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>What is this view</source>
        <translation>Was ist diese Ansicht</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <location filename="../../gui/app/help/help.cpp"/>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>What is this window</source>
        <translation>Was ist dieses Fenster</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>What is under the pointer</source>
        <translation>Was ist unter dem Zeiger</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/actions.cpp"/>
        <source>Write, change or remove the note on the shown step</source>
        <translation>Die Notiz zum gezeigten Schritt schreiben, ändern oder löschen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/command_palette.cpp"/>
        <source>%1; %2 of %3</source>
        <translation>%1; %2 von %3</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/command_palette.cpp"/>
        <source>A command, or step 17, block 40, request 2, token 5</source>
        <translation>Ein Befehl, oder Schritt 17, Block 40, Anfrage 2, Token 5</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/command_palette.cpp"/>
        <source>All commands</source>
        <translation>Alle Befehle</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/command_palette.cpp"/>
        <source>Command to find</source>
        <translation>Gesuchter Befehl</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/command_palette.cpp"/>
        <source>Commands found</source>
        <translation>Gefundene Befehle</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/command_palette.cpp"/>
        <source>No command matches these letters.</source>
        <translation>Kein Befehl passt zu diesen Buchstaben.</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/command_palette.cpp"/>
        <source>Not now: %1</source>
        <translation>Jetzt nicht: %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/command_palette.cpp"/>
        <source>not now</source>
        <translation>jetzt nicht</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/command_palette.cpp"/>
        <source>not now: %1</source>
        <translation>jetzt nicht: %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/command_palette.cpp"/>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <location filename="../../gui/views/workload/fields/backend_fields.cpp"/>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/key_list.cpp"/>
        <source>All keys</source>
        <translation>Alle Tasten</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/key_list.cpp"/>
        <source>Esc closes this list</source>
        <translation>Esc schließt diese Liste</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/language_menu.cpp"/>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/language_menu.cpp"/>
        <source>English</source>
        <translation>Englisch</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/language_menu.cpp"/>
        <source>German</source>
        <translation>Deutsch</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/language_menu.cpp"/>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/language_menu.cpp"/>
        <source>The language changes when the program is started again.</source>
        <translation>Die Sprache ändert sich, wenn das Programm neu gestartet wird.</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/layout_menu.cpp"/>
        <source>A layout that you saved</source>
        <translation>Eine Anordnung, die du gespeichert hast</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/layout_menu.cpp"/>
        <source>Delete layout</source>
        <translation>Anordnung löschen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/layout_menu.cpp"/>
        <source>Deleted the layout %1.</source>
        <translation>Die Anordnung %1 ist gelöscht.</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/layout_menu.cpp"/>
        <source>Layout</source>
        <translation>Anordnung</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/layout_menu.cpp"/>
        <source>Name of the layout. A saved layout with this name is replaced.</source>
        <translation>Name der Anordnung. Eine gespeicherte mit diesem Namen wird ersetzt.</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/layout_menu.cpp"/>
        <source>Save layout</source>
        <translation>Anordnung speichern</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/layout_menu.cpp"/>
        <source>Saved the layout %1. View &gt; Layout brings it back.</source>
        <translation>Die Anordnung %1 ist gespeichert. Ansicht &gt; Anordnung bringt sie zurück.</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/layout_menu.cpp"/>
        <source>there is no saved layout</source>
        <translation>es gibt keine gespeicherte Anordnung</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/recent_menu.cpp"/>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/recent_menu.cpp"/>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>Open recent</source>
        <translation>Zuletzt benutzt</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/recent_menu.cpp"/>
        <source>Take the files off this list; they are not deleted.</source>
        <translation>Die Dateien aus dieser Liste nehmen; sie werden nicht gelöscht.</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/recent_menu.cpp"/>
        <source>the file no longer exists</source>
        <translation>die Datei gibt es nicht mehr</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/recent_menu.cpp"/>
        <source>the list is empty</source>
        <translation>die Liste ist leer</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>Copy number</source>
        <translation>Zahl kopieren</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>Copy number: %1 %2</source>
        <translation>Zahl kopieren: %1 %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>Copy the description</source>
        <translation>Die Beschreibung kopieren</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>Export this view</source>
        <translation>Diese Ansicht exportieren</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>Fork: another token in place of %1…</source>
        <translation>Verzweigen: ein anderes Token statt %1…</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>Go to step %1</source>
        <translation>Zu Schritt %1 gehen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>Knock-out: head %1.%2 off</source>
        <translation>Knock-out: Kopf %1.%2 aus</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>Knock-out: query %1 does not read key %2</source>
        <translation>Knock-out: Query %1 liest Key %2 nicht</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>Open in</source>
        <translation>Öffnen in</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>Select</source>
        <translation>Auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>Select %1</source>
        <translation>%1 auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>Show %1 in the views</source>
        <translation>%1 in den Ansichten zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>What is this</source>
        <translation>Was ist das</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <source>block %1</source>
        <translation>Block %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>block %1 of the swap pool</source>
        <translation>Block %1 des Auslagerungsspeichers</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>event %1</source>
        <translation>Ereignis %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>layer %1, head %2</source>
        <translation>Schicht %1, Kopf %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/models/request_model.cpp"/>
        <location filename="../../gui/models/run/fact_values.cpp"/>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <location filename="../../gui/views/timeline/search/timeline_search.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>request %1</source>
        <translation>Anfrage %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>the cell of query %1, key %2</source>
        <translation>die Zelle von Query %1, Key %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>there is no number here</source>
        <translation>hier ist keine Zahl</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>there is nothing at this place to show in another view</source>
        <translation>hier ist nichts, was eine andere Ansicht zeigen könnte</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>there is nothing here</source>
        <translation>hier ist nichts</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>this menu cannot select anything here</source>
        <translation>dieses Menü kann hier nichts auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <source>this view is open</source>
        <translation>diese Ansicht ist offen</translation>
    </message>
    <message>
        <location filename="../../gui/app/commands/view_menu.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>token %1</source>
        <translation>Token %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/headless/headless.cpp"/>
        <source>after step %1 of %2</source>
        <translation>nach Schritt %1 von %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help.cpp"/>
        <source>About Attention Workbench</source>
        <translation>Über Attention Workbench</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help.cpp"/>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help.cpp"/>
        <source>Read %1</source>
        <translation>%1 lesen</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help.cpp"/>
        <source>Scenarios</source>
        <translation>Szenarien</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help.cpp"/>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>This scenario</source>
        <translation>Dieses Szenario</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help.cpp"/>
        <source>Version and licence</source>
        <translation>Version und Lizenz</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help.cpp"/>
        <source>Views</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help.cpp"/>
        <source>What this scenario shows, and the shipped scenarios</source>
        <translation>Was dieses Szenario zeigt, und die mitgelieferten Szenarien</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help.cpp"/>
        <source>the documents are not installed</source>
        <translation>die Dokumente sind nicht installiert</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>%1, %2, Qt %3</source>
        <translation>%1, %2, Qt %3</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>At this place</source>
        <translation>An dieser Stelle</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Backends</source>
        <translation>Backends</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/models/request_model.cpp"/>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <location filename="../../gui/views/blocks/blocks_view.h"/>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>Blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <location filename="../../gui/views/events/events_painter.cpp"/>
        <location filename="../../gui/views/events/events_table.cpp"/>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <location filename="../../gui/views/events/events_view.h"/>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>GNU General Public License, version 3 or later. You may use, change and pass on the program under its terms. There is no warranty.</source>
        <translation>GNU General Public License, Version 3 oder später. Du darfst das Programm unter ihren Bedingungen benutzen, ändern und weitergeben. Es gibt keine Garantie.</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>Grey now</source>
        <translation>Jetzt grau</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <location filename="../../gui/views/attention/heatmap/choice/heatmap_entry.cpp"/>
        <source>Heatmap</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>Here you set what is computed: the scenario, its prompts and settings. If the scenario has a model, type a prompt and press Ctrl+Enter.</source>
        <translation>Hier stellst du ein, was berechnet wird: das Szenario, seine Prompts und Einstellungen. Hat das Szenario ein Modell, schreib einen Prompt, und drücke Strg+Eingabe.</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>How to …</source>
        <translation>Wie geht …</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/inspector/inspector_view.cpp"/>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>Keys and mouse</source>
        <translation>Tasten und Maus</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>Lines and heads</source>
        <translation>Linien und Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <location filename="../../gui/views/metrics/metrics_view.h"/>
        <source>Metrics</source>
        <translation>Messwerte</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>Network</source>
        <translation>Netzwerk</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>Panels</source>
        <translation>Bereiche</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>Read more</source>
        <translation>Mehr lesen</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>Scenarios and files</source>
        <translation>Szenarien und Dateien</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>Scenarios that come with the program</source>
        <translation>Szenarien, die zum Programm gehören</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>Space runs or pauses; after the end it runs again. With the slider in the status line most views show an earlier step. A click can select a token, a cell, a block or an event; the Inspector then shows its numbers. The right mouse button, or the Menu key, opens the menu of a view.</source>
        <translation>Die Leertaste startet oder hält an; nach dem Ende startet sie neu. Mit dem Schieber in der Statuszeile zeigen die meisten Ansichten einen früheren Schritt. Ein Klick kann ein Token, eine Zelle, einen Block oder ein Ereignis auswählen; der Inspektor zeigt dann seine Zahlen. Die rechte Maustaste oder die Menütaste öffnet das Menü einer Ansicht.</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>Tabs in the middle</source>
        <translation>Reiter in der Mitte</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>Text of the licence</source>
        <translation>Text der Lizenz</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>The engine computes attention, and the window shows its numbers during the run and after it. Modelled times come from a cost model, not from a clock.</source>
        <translation>Die Engine berechnet Attention, und das Fenster zeigt ihre Zahlen während des Laufs und danach. Modellierte Zeiten kommen aus einem Kostenmodell, nicht von einer Uhr.</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>The first minutes</source>
        <translation>Die ersten Minuten</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>The numbers of what is selected.</source>
        <translation>Die Zahlen des Ausgewählten.</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>The program computes attention and shows weights, kernels, a paged cache and a scheduler.</source>
        <translation>Das Programm berechnet Attention und zeigt Gewichte, Kernel, einen Cache aus Blöcken und einen Scheduler.</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>The program opens no connection.</source>
        <translation>Das Programm öffnet keine Verbindung.</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>The scenarios of the program were not found.</source>
        <translation>Die Szenarien des Programms wurden nicht gefunden.</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>The window</source>
        <translation>Das Fenster</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>This document is in English.</source>
        <translation>Dieses Dokument ist auf Englisch.</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>This scenario has no description.</source>
        <translation>Dieses Szenario hat keine Beschreibung.</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>This system</source>
        <translation>Dieses System</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <location filename="../../gui/views/timeline/timeline_canvas.cpp"/>
        <location filename="../../gui/views/timeline/timeline_painter.cpp"/>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <location filename="../../gui/views/timeline/timeline_view.h"/>
        <source>Timeline</source>
        <translation>Zeitachse</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <source>What attention does</source>
        <translation>Was Attention tut</translation>
    </message>
    <message>
        <location filename="../../gui/app/help/help_texts.cpp"/>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Workload</source>
        <translation>Auftrag</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <source>%1 has results of the class and is not replaced. Choose another name.</source>
        <translation>%1 hat Ergebnisse der Klasse und wird nicht ersetzt. Wähle einen anderen Namen.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/models/run/fact_values.cpp"/>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_sums.cpp"/>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <source>%1 results</source>
        <translation>%1 Ergebnisse</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <source>%1. More files and folders can be dropped here.</source>
        <translation>%1. Weitere Dateien und Ordner können hierher gezogen werden.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <source>1 result</source>
        <translation>1 Ergebnis</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>And %1 more.</source>
        <translation>Und %1 weitere.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>For example: %1.</source>
        <translation>Zum Beispiel: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <source>In the end</source>
        <translation>Am Ende richtig</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <source>Most frequent wrong answers</source>
        <translation>Häufigste falsche Antworten</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <source>Only the first %1 of %2 tasks are listed. The saved table has all of them.</source>
        <translation>Nur die ersten %1 von %2 Aufgaben sind aufgeführt. Die gespeicherte Tabelle hat alle.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <source>Results of a class</source>
        <translation>Ergebnisse einer Klasse</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <source>Right answer</source>
        <translation>Richtige Antwort</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <source>Right at first</source>
        <translation>Gleich richtig</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <source>Save the table</source>
        <translation>Die Tabelle speichern</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <source>Save the table…</source>
        <translation>Die Tabelle speichern…</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <location filename="../../gui/app/lessons/window_handouts.cpp"/>
        <location filename="../../gui/app/lessons/window_results.cpp"/>
        <location filename="../../gui/models/run_control.cpp"/>
        <source>Saved %1.</source>
        <translation>%1 ist gespeichert.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/class_dialog.cpp"/>
        <source>Tasks, with the most frequent wrong answers</source>
        <translation>Aufgaben, mit den häufigsten falschen Antworten</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>Answer: %1</source>
        <translation>Antwort: %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>Build</source>
        <translation>Baue</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>Change</source>
        <translation>Ändere</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>Goal: %1.</source>
        <translation>Ziel: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>Hint %1: </source>
        <translation>Hinweis %1: </translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>If right: </source>
        <translation>Wenn richtig: </translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>If too high: </source>
        <translation>Wenn zu groß: </translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>If too low: </source>
        <translation>Wenn zu klein: </translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>If wrong: </source>
        <translation>Wenn falsch: </translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>Name ______________________________     %1</source>
        <translation>Name ______________________________     %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>Name ______________________________     Date ____________________</source>
        <translation>Name ______________________________     Datum ____________________</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>Page %1 of %2</source>
        <translation>Seite %1 von %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>Predict, before you look</source>
        <translation>Sag voraus, bevor du nachsiehst</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>Teacher's copy of %1, version %2. The answers were computed from the runs.</source>
        <translation>Exemplar für Lehrende: %1, Version %2. Die Antworten wurden aus den Läufen berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/handout.cpp"/>
        <source>What did you see?</source>
        <translation>Was hast du gesehen?</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_handouts.cpp"/>
        <source>A hand-out is being written. Ask again when it is done.</source>
        <translation>Ein Arbeitsblatt wird gerade geschrieben. Frag danach noch einmal.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_handouts.cpp"/>
        <source>Save the hand-out</source>
        <translation>Arbeitsblatt speichern</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_handouts.cpp"/>
        <source>Save the teacher's copy</source>
        <translation>Exemplar für Lehrende speichern</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_handouts.cpp"/>
        <source>The hand-out was not written: %1</source>
        <translation>Das Arbeitsblatt wurde nicht geschrieben: %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_handouts.cpp"/>
        <location filename="../../gui/app/lessons/window_results.cpp"/>
        <source>Writing %1…</source>
        <translation>%1 wird geschrieben …</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_handouts.cpp"/>
        <source>the program that writes it has ended too early</source>
        <translation>das Programm, das es schreibt, hat zu früh geendet</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <location filename="../../gui/views/timeline/range/range_sums.cpp"/>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>All lessons</source>
        <translation>Alle Lektionen</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>Begin the lesson again</source>
        <translation>Die Lektion neu beginnen</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>Go on without saving</source>
        <translation>Weiter ohne zu speichern</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>Go to the first step, and forget the answers and counts of this lesson</source>
        <translation>Zum ersten Schritt gehen und die Antworten und Zählungen dieser Lektion vergessen</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Leave the lesson</source>
        <translation>Die Lektion verlassen</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>Leave the lessons, and go back to the work from before</source>
        <translation>Die Lektionen verlassen, und zurück zur Arbeit von vorher</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>Lessons (*.md);;All files (*)</source>
        <translation>Lektionen (*.md);;Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>New here? The first lesson takes about %1 minutes.</source>
        <translation>Neu hier? Die erste Lektion dauert etwa %1 Minuten.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>No lesson is open.</source>
        <translation>Es ist keine Lektion offen.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>Open a lesson</source>
        <translation>Lektion öffnen</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>Open a lesson file…</source>
        <translation>Lektionsdatei öffnen…</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>Open a lesson from a file</source>
        <translation>Eine Lektion aus einer Datei öffnen</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>Open the first lesson that is not done; if all are done, lesson 1</source>
        <translation>Die erste Lektion öffnen, die noch nicht fertig ist; sind alle fertig, Lektion 1</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Presenter</source>
        <translation>Vorführen</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>Results of a class…</source>
        <translation>Ergebnisse einer Klasse…</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Save the answers to this lesson as a table (CSV).</source>
        <translation>Die Antworten zu dieser Lektion als Tabelle speichern (CSV).</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <location filename="../../gui/views/lessons/lesson_list.cpp"/>
        <source>Save the results…</source>
        <translation>Ergebnisse speichern…</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>Show how a class answered: right answers and frequent wrong ones</source>
        <translation>Zeigen, wie eine Klasse geantwortet hat: richtige Antworten und häufige falsche</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>Start here</source>
        <translation>Hier beginnen</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>The folder with the results of the learners</source>
        <translation>Der Ordner mit den Ergebnissen der Klasse</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>The run that is shown is too large to be kept during a lesson.</source>
        <translation>Der gezeigte Lauf ist zu groß, um während einer Lektion aufgehoben zu werden.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>The scenario of the run is kept. A saved session keeps the whole run.</source>
        <translation>Das Szenario des Laufs bleibt. Eine gespeicherte Sitzung behält den ganzen Lauf.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>This lesson has %1 mistakes. The first: %2</source>
        <translation>Diese Lektion hat %1 Fehler. Der erste: %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>This lesson has a mistake. %1</source>
        <translation>Diese Lektion hat einen Fehler. %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>Your run is back, as far as it had been computed. Press Space to run it from the beginning.</source>
        <translation>Dein Lauf ist zurück, so weit er berechnet war. Drücke die Leertaste, um ihn von vorn zu starten.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>no lesson is open</source>
        <translation>keine Lektion ist offen</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>no lessons are installed</source>
        <translation>es sind keine Lektionen installiert</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_lessons.cpp"/>
        <source>the lesson first asks what you expect</source>
        <translation>die Lektion fragt zuerst, was du erwartest</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_results.cpp"/>
        <source>Nothing was saved, because the results need a name or a number.</source>
        <translation>Es wurde nichts gespeichert, weil die Ergebnisse einen Namen oder eine Nummer brauchen.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_results.cpp"/>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Save the results</source>
        <translation>Die Ergebnisse speichern</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_results.cpp"/>
        <source>The lesson has changed since it was taken, so the answers to it cannot be saved.</source>
        <translation>Die Lektion hat sich geändert, seit sie bearbeitet wurde. Darum lassen sich die Antworten nicht speichern.</translation>
    </message>
    <message>
        <location filename="../../gui/app/lessons/window_results.cpp"/>
        <source>Your name, or the number that your teacher gave you:</source>
        <translation>Dein Name, oder die Nummer, die du bekommen hast:</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>%1 B</source>
        <translation>%1 Mrd.</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>%1 M</source>
        <translation>%1 Mio.</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>%1 folders could not be read</source>
        <translation>%1 Ordner konnten nicht gelesen werden</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <location filename="../../gui/views/attention/difference/run_pair.cpp"/>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>%1 heads</source>
        <translation>%1 Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>%1 layers of attention</source>
        <translation>%1 Attention-Schichten</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>%1 models</source>
        <translation>%1 Modelle</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>%1 models are listed above</source>
        <translation>%1 Modelle stehen weiter oben</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>%1 of %2 models read…</source>
        <translation>%1 von %2 Modellen gelesen…</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>%1 of memory while it is loaded</source>
        <translation>%1 Speicher, während es geladen wird</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>%1; %2, %3, %4, head size %5; %6 tokens in the vocabulary, at most %7 in a sequence</source>
        <translation>%1; %2, %3, %4, Kopfgröße %5; %6 Token im Vokabular, höchstens %7 in einer Sequenz</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>&amp;Look into a folder…</source>
        <translation>In einen &amp;Ordner sehen…</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>&amp;Open</source>
        <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>&amp;Remove from the list</source>
        <translation>Aus der &amp;Liste entfernen</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>&amp;Use in the scenario</source>
        <translation>Im &amp;Szenario verwenden</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>1 folder could not be read</source>
        <translation>1 Ordner konnte nicht gelesen werden</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <location filename="../../gui/views/attention/difference/run_pair.cpp"/>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>1 head</source>
        <translation>1 Kopf</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>1 layer of attention</source>
        <translation>1 Attention-Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>1 model</source>
        <translation>1 Modell</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>1 model is listed above</source>
        <translation>1 Modell steht weiter oben</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>About the model</source>
        <translation>Über das Modell</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>Come with the program</source>
        <translation>Mit dem Programm geliefert</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>Filter by name, type or folder</source>
        <translation>Nach Name, Typ oder Ordner filtern</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>Filter of the models</source>
        <translation>Filter der Modelle</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>In %1</source>
        <translation>In %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>In %1 (%2)</source>
        <translation>In %1 (%2)</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>It cannot run here:</source>
        <translation>Es kann hier nicht laufen:</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>Lists the models in a folder and in the folders below it.</source>
        <translation>Listet die Modelle in einem Ordner und in den Ordnern darunter auf.</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>Look for models in a folder</source>
        <translation>In einem Ordner nach Modellen suchen</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>Models on this machine</source>
        <translation>Modelle auf diesem Rechner</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>Opens the model and runs it with an example prompt.</source>
        <translation>Öffnet das Modell und lässt es mit einem Beispiel-Prompt laufen.</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>Progress of the search</source>
        <translation>Fortschritt der Suche</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>Removes a model or a folder from this list. No files are deleted.</source>
        <translation>Nimmt ein Modell oder einen Ordner aus dieser Liste. Es werden keine Dateien gelöscht.</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>Run before</source>
        <translation>Früher gelaufen</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>Runs here</source>
        <translation>Läuft hier</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>The source of this scenario is not a model. Choose Model as the source in the panel Workload first.</source>
        <translation>Die Quelle dieses Szenarios ist kein Modell. Wähle zuerst im Bereich „Auftrag“ ein Modell als Quelle.</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Type</source>
        <translation>Art</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>Use this model in the scenario; its requests stay.</source>
        <translation>Dieses Modell im Szenario verwenden; dessen Anfragen bleiben.</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>being read…</source>
        <translation>wird gelesen…</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>decoder</source>
        <translation>Decoder</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>encoder</source>
        <translation>Encoder</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>encoder and decoder</source>
        <translation>Encoder und Decoder</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>no models</source>
        <translation>keine Modelle</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>no: %1</source>
        <translation>nein: %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>the search ended after %1 models, %2 files and folders, or %3 levels of folders</source>
        <translation>die Suche endete nach %1 Modellen, %2 Dateien und Ordnern oder %3 Ebenen von Ordnern</translation>
    </message>
    <message>
        <location filename="../../gui/app/model_browser/model_browser.cpp"/>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/note_dialog.cpp"/>
        <source>%1 of %2 bytes</source>
        <translation>%1 von %2 Byte</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/note_dialog.cpp"/>
        <source>Keep note</source>
        <translation>Notiz behalten</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/note_dialog.cpp"/>
        <source>Keep the note with the run (Ctrl+Enter)</source>
        <translation>Die Notiz beim Lauf behalten (Strg+Eingabe)</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/note_dialog.cpp"/>
        <location filename="../../gui/views/timeline/timeline_notes.cpp"/>
        <source>Note on step %1</source>
        <translation>Notiz zu Schritt %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/note_dialog.cpp"/>
        <source>Remove note</source>
        <translation>Notiz löschen</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/note_dialog.cpp"/>
        <source>What does this step show?</source>
        <translation>Was zeigt dieser Schritt?</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>%1 notes</source>
        <translation>%1 Notizen</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>1 note</source>
        <translation>1 Notiz</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>A saved session keeps the notes with the run.</source>
        <translation>Eine gespeicherte Sitzung behält die Notizen beim Lauf.</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>Show the step of this note</source>
        <translation>Den Schritt dieser Notiz zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>Step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>The change of the note on step %1 was made again.</source>
        <translation>Die Änderung der Notiz zu Schritt %1 wurde wieder gemacht.</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>The edit of the scenario was made again.</source>
        <translation>Die Änderung des Szenarios wurde wieder gemacht.</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>The history of the run does not have step %1. Its note: %2</source>
        <translation>Die Geschichte des Laufs hat Schritt %1 nicht. Seine Notiz: %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>The last change of the note on step %1 was undone.</source>
        <translation>Die letzte Änderung der Notiz zu Schritt %1 wurde rückgängig gemacht.</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>The last edit of the scenario was undone.</source>
        <translation>Die letzte Änderung des Szenarios wurde zurückgenommen.</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>This run has %1, and the last changes of its notes are not saved.</source>
        <translation>Dieser Lauf hat %1, und die letzten Änderungen an seinen Notizen sind nicht gespeichert.</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>no earlier step has a note</source>
        <translation>kein früherer Schritt hat eine Notiz</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>no edit of the scenario and no change of a note was undone</source>
        <translation>keine Änderung des Szenarios oder einer Notiz wurde zurückgenommen</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>no later step has a note</source>
        <translation>kein späterer Schritt hat eine Notiz</translation>
    </message>
    <message>
        <location filename="../../gui/app/notes/window_notes.cpp"/>
        <source>no step of the run has ended yet</source>
        <translation>noch ist kein Schritt des Laufs zu Ende</translation>
    </message>
    <message>
        <location filename="../../gui/app/program.cpp"/>
        <source>No fonts are installed, so every letter is drawn as a box. Install the packages fonts-inter and fonts-jetbrains-mono.</source>
        <translation>Es sind keine Schriften installiert, darum wird jeder Buchstabe als Kästchen gezeichnet. Installiere die Pakete fonts-inter und fonts-jetbrains-mono.</translation>
    </message>
    <message>
        <location filename="../../gui/app/recovery/recovery.cpp"/>
        <source>%1 was changed and not saved. It was kept when something else took its place, %2.</source>
        <translation>%1 wurde geändert und nicht gespeichert. Als am %2 etwas anderes an seine Stelle trat, wurde es aufgehoben.</translation>
    </message>
    <message>
        <location filename="../../gui/app/recovery/recovery.cpp"/>
        <source>%1 was changed and not saved. It was kept when the window was closed, %2.</source>
        <translation>%1 wurde geändert und nicht gespeichert. Beim Schließen des Fensters am %2 wurde es aufgehoben.</translation>
    </message>
    <message>
        <location filename="../../gui/app/recovery/recovery.cpp"/>
        <source>A scenario</source>
        <translation>Ein Szenario</translation>
    </message>
    <message>
        <location filename="../../gui/app/recovery/recovery.cpp"/>
        <source>Go on with the work that the program kept</source>
        <translation>Mit der Arbeit weitermachen, die das Programm aufgehoben hat</translation>
    </message>
    <message>
        <location filename="../../gui/app/recovery/recovery.cpp"/>
        <source>Open it again</source>
        <translation>Wieder öffnen</translation>
    </message>
    <message>
        <location filename="../../gui/app/recovery/recovery.cpp"/>
        <source>Open unsaved work again: %1, %2</source>
        <translation>Nicht gespeicherte Arbeit wieder öffnen: %1, %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/recovery/recovery.cpp"/>
        <source>The program did not end as usual. Work on %1 was kept, as it was on %2.</source>
        <translation>Das Programm ist nicht wie üblich zu Ende gegangen. Die Arbeit an %1 wurde aufgehoben, mit dem Stand vom %2.</translation>
    </message>
    <message>
        <location filename="../../gui/app/report/fullest_step.cpp"/>
        <source>step %1 of %2, most blocks in use</source>
        <translation>Schritt %1 von %2, meiste belegte Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/app/tours/tour_card.cpp"/>
        <location filename="../../gui/views/lessons/count_board.cpp"/>
        <source>%1: %2 of %3</source>
        <translation>%1: %2 von %3</translation>
    </message>
    <message>
        <location filename="../../gui/app/tours/tour_card.cpp"/>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <location filename="../../gui/app/tours/tour_card.cpp"/>
        <source>End the tour</source>
        <translation>Führung beenden</translation>
    </message>
    <message>
        <location filename="../../gui/app/tours/tour_card.cpp"/>
        <source>End the tour (Esc)</source>
        <translation>Führung beenden (Esc)</translation>
    </message>
    <message>
        <location filename="../../gui/app/tours/window_tours.cpp"/>
        <source>The tour of %1 ended because another run began. Click into the view and press Ctrl+F1 to begin it again.</source>
        <translation>Die Führung durch „%1“ ist zu Ende, weil ein anderer Lauf begonnen hat. Klick in die Ansicht und drücke Strg+F1, um sie neu zu beginnen.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source> mm</source>
        <translation> mm</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source> pixels per inch</source>
        <translation> Pixel pro Zoll</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>A .npy file has no room to say what is changed in the request; a .safetensors file says it.</source>
        <translation>Eine .npy-Datei hat keinen Platz dafür, was an der Anfrage geändert ist; eine .safetensors-Datei sagt es.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>A picture of all layers has all heads. Choose “all heads” at Head first, or an array as the format.</source>
        <translation>Ein Bild aller Schichten hat alle Köpfe. Wähle zuerst bei Kopf „alle Köpfe“, oder ein Array als Format.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>All layers</source>
        <translation>Alle Schichten</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>At this width the smallest text has less than %1 pt.
A wider figure has larger text; a larger text size can help, too.</source>
        <translation>In dieser Breite hat die kleinste Schrift weniger als %1 pt.
Eine breitere Abbildung hat größere Schrift; auch eine größere Textgröße kann helfen.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>Colour bar and legend</source>
        <translation>Farbleiste und Legende</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>Export a figure</source>
        <translation>Abbildung exportieren</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <location filename="../../gui/widgets/request/head_view.cpp"/>
        <source>Head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>Light is for paper, dark for slides with a dark background.</source>
        <translation>Hell ist für Papier, Dunkel für Folien mit dunklem Hintergrund.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>Mark of the selection</source>
        <translation>Markierung der Auswahl</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>No attention has been computed, so there is no array.</source>
        <translation>Es wurde noch keine Attention berechnet, darum gibt es kein Array.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>NumPy array (.npy)</source>
        <translation>NumPy-Array (.npy)</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>NumPy array (.npy): not for a changed request</source>
        <translation>NumPy-Array (.npy): nicht für eine geänderte Anfrage</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>Own title</source>
        <translation>Eigener Titel</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>PDF, fonts inside</source>
        <translation>PDF, mit Schriften</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>PNG</source>
        <translation>PNG</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <location filename="../../gui/models/request_model.cpp"/>
        <location filename="../../gui/models/run/run_requests.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <location filename="../../gui/widgets/request/request_box.cpp"/>
        <source>Request</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>Resolution</source>
        <translation>Auflösung</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>SVG</source>
        <translation>SVG</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>Sums of rows and columns</source>
        <translation>Summen der Zeilen und Spalten</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>The figure does not take the text size of the window. A narrow figure with large text has little room for cells.</source>
        <translation>Die Abbildung übernimmt nicht die Textgröße des Fensters. Eine schmale Abbildung mit großem Text hat wenig Platz für Zellen.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>The figure has all layers that read the same tokens as the chosen layer.</source>
        <translation>Die Abbildung hat alle Schichten, die dieselben Token lesen wie die gewählte Schicht.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>The figure of one head has the numbers that the heatmap shows, without its zoom. A figure of all heads or all layers has weights.</source>
        <translation>Die Abbildung eines Kopfes hat die Zahlen, die die Heatmap zeigt, ohne ihren Zoom. Eine Abbildung aller Köpfe oder aller Schichten hat Gewichte.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>The title of the figure. If the field is empty, the figure has the title that is shown there in grey. A long title has several lines.</source>
        <translation>Der Titel der Abbildung. Ist das Feld leer, hat die Abbildung den Titel, der dort grau steht. Ein langer Titel hat mehrere Zeilen.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>Width, %1 to %2 mm</source>
        <translation>Breite, %1 bis %2 mm</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>all heads</source>
        <translation>alle Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/attention/heatmap/figure/heads_figure.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <location filename="../../gui/views/timeline/search/timeline_search.cpp"/>
        <source>head %1</source>
        <translation>Kopf %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>safetensors, with the tokens</source>
        <translation>safetensors, mit den Token</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/figure_dialog.cpp"/>
        <source>smallest text: %1 pt</source>
        <translation>kleinste Schrift: %1 pt</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>%1 – Attention Workbench</source>
        <translation>%1 – Attention Workbench</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>%1%</source>
        <translation>%1%</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <location filename="../../gui/views/workload/scenario_form.cpp"/>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>Attention Workbench</source>
        <translation>Attention Workbench</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>Go back to the run that was shown before this one</source>
        <translation>Zurück zum Lauf, der vor diesem zu sehen war</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>Hide %1</source>
        <translation>%1 verbergen</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>Hide this panel. The menu View brings it back.</source>
        <translation>Diesen Bereich verbergen. Das Menü Ansicht bringt ihn zurück.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>Less motion</source>
        <translation>Weniger Bewegung</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>Show changes at once, without animation</source>
        <translation>Änderungen sofort zeigen, ohne Animation</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>Text size: %1%</source>
        <translation>Textgröße: %1%</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>Views of attention</source>
        <translation>Ansichten der Attention</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>Whole report…</source>
        <translation>Ganzer Bericht…</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>no run is going on</source>
        <translation>es läuft nichts</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>settings are not kept in this window</source>
        <translation>in diesem Fenster werden keine Einstellungen behalten</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>the text has its largest size, 200%</source>
        <translation>der Text hat seine größte Größe, 200%</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>the text has its smallest size, 100%</source>
        <translation>der Text hat seine kleinste Größe, 100%</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>this is the newest place</source>
        <translation>das ist die neueste Stelle</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>this is the oldest place that the window remembers</source>
        <translation>das ist die älteste Stelle, die sich das Fenster merkt</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/main_window.cpp"/>
        <source>this layout does not allow text below %1%</source>
        <translation>diese Anordnung erlaubt keinen Text unter %1%</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>Go</source>
        <translation>Gehe</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>Go to %1 %2</source>
        <translation>Gehe zu %1 %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>Pace</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>Run the scenario from the beginning, with all changes</source>
        <translation>Führt das Szenario mit allen Änderungen von vorn aus</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Scenario</source>
        <translation>Szenario</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>Select this block of the cache</source>
        <translation>Diesen Block des Caches auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>Select this token of the shown request</source>
        <translation>Dieses Token der gezeigten Anfrage auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>Show this head in the attention views</source>
        <translation>Diesen Kopf in den Attention-Ansichten zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>Show this layer in the attention views</source>
        <translation>Diese Schicht in den Attention-Ansichten zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>Show this request in the views that show one request</source>
        <translation>Diese Anfrage in den Ansichten zeigen, die eine Anfrage zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>Show this step in most views</source>
        <translation>Diesen Schritt in den meisten Ansichten zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Start again</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>Step by</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>The most attention tiles that all workers together compute per second</source>
        <translation>Wie viele Attention-Kacheln alle Worker zusammen höchstens pro Sekunde berechnen</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/models/lesson/lesson_places.cpp"/>
        <location filename="../../gui/views/blocks/blocks_canvas.cpp"/>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/step/step_canvas.cpp"/>
        <source>block</source>
        <translation>Block</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/models/lesson/lesson_places.cpp"/>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <location filename="../../gui/views/timeline/search/search_terms.cpp"/>
        <source>head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <location filename="../../gui/models/lesson/lesson_places.cpp"/>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <location filename="../../gui/views/timeline/search/search_terms.cpp"/>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/models/lesson/lesson_places.cpp"/>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <location filename="../../gui/views/timeline/search/search_terms.cpp"/>
        <source>request</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>restart, rerun, from the beginning</source>
        <translation>neu starten, neustart, von vorn, noch einmal</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/models/lesson/lesson_places.cpp"/>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <location filename="../../gui/views/metrics/metrics_charts.cpp"/>
        <location filename="../../gui/views/timeline/search/search_terms.cpp"/>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>the run has no %1 yet</source>
        <translation>im Lauf gibt es das noch nicht: %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>there is no %1 %2 to show; the numbers go from %3</source>
        <translation>%1 %2 gibt es nicht; die Nummern gehen ab %3</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>there is nothing to which this command could be applied</source>
        <translation>es gibt nichts, worauf dieser Befehl anwendbar wäre</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <location filename="../../gui/models/lesson/lesson_places.cpp"/>
        <location filename="../../gui/views/attention/heatmap/figure/row_table.cpp"/>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>token</source>
        <translation>Token</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_commands.cpp"/>
        <source>type the number of the %1: %2</source>
        <translation>tippe die Nummer (%1): %2</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>%1 (CSV)…</source>
        <translation>%1 (CSV)…</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>%1 (no .npy: it cannot say what is changed in the request)</source>
        <translation>%1 (kein .npy: Es kann nicht sagen, was an der Anfrage geändert ist)</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>Copied %1.</source>
        <translation>Kopiert: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>Copy the table</source>
        <translation>Tabelle kopieren</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>Export queries, keys and values</source>
        <translation>Queries, Keys und Values exportieren</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>Export the run as an interactive page</source>
        <translation>Den Lauf als interaktive Seite exportieren</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>Interactive page (HTML)…</source>
        <translation>Interaktive Seite (HTML)…</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>New folder for the report</source>
        <translation>Neuer Ordner für den Bericht</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>Queries, keys and values…</source>
        <translation>Queries, Keys und Values…</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>The report is in %1: open index.html.</source>
        <translation>Der Bericht ist in %1: Öffne index.html.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>There are no queries, keys and values until a run has a request.</source>
        <translation>Queries, Keys und Values gibt es erst, wenn ein Lauf eine Anfrage hat.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>There is no figure to export until a run has a request.</source>
        <translation>Es gibt nichts abzubilden, bevor ein Lauf eine Anfrage hat.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>There is not enough memory for this picture. Try to export it as SVG or PDF.</source>
        <translation>Für dieses Bild reicht der Speicher nicht. Versuch, es als SVG oder PDF zu exportieren.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>Writing %1 …</source>
        <translation>%1 wird geschrieben …</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>Writing the report to %1 …</source>
        <translation>Der Bericht wird nach %1 geschrieben …</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>Wrote %1.</source>
        <translation>%1 ist geschrieben.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>the picture of %1</source>
        <translation>das Bild von %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <source>the table of %1</source>
        <translation>die Tabelle von %1</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_exports.cpp"/>
        <location filename="../../gui/views/blocks/drawing/block_legend.cpp"/>
        <source>written</source>
        <translation>geschrieben</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_layouts.cpp"/>
        <source>%1 is the name of a built-in layout. Choose another name.</source>
        <translation>%1 ist der Name einer eingebauten Anordnung. Wähle einen anderen.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_layouts.cpp"/>
        <source>A layout needs a name.</source>
        <translation>Eine Anordnung braucht einen Namen.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_layouts.cpp"/>
        <source>The name of a layout has at most %1 characters. This name has %2.</source>
        <translation>Der Name einer Anordnung hat höchstens %1 Zeichen. Dieser hat %2.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_layouts.cpp"/>
        <source>There can be at most %1 layouts of your own. Delete one first.</source>
        <translation>Es kann höchstens %1 eigene Anordnungen geben. Lösche zuerst eine.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_session.cpp"/>
        <source>A session is already being saved or opened. Wait until that has ended.</source>
        <translation>Eine Sitzung wird gerade gespeichert oder geöffnet. Warte, bis das zu Ende ist.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_session.cpp"/>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_session.cpp"/>
        <source>Opened %1. This is the saved run. Press Space to run its scenario again.</source>
        <translation>%1 ist geöffnet. Das ist der gespeicherte Lauf. Die Leertaste startet sein Szenario neu.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_session.cpp"/>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_session.cpp"/>
        <source>Opening was cancelled; nothing has changed.</source>
        <translation>Das Öffnen wurde abgebrochen; nichts hat sich geändert.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_session.cpp"/>
        <source>Save the session</source>
        <translation>Die Sitzung speichern</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_session.cpp"/>
        <source>Saved %1, %2.</source>
        <translation>%1 ist gespeichert, %2.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_session.cpp"/>
        <source>Saving %1</source>
        <translation>%1 wird gespeichert</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_session.cpp"/>
        <source>Saving was cancelled; nothing was written.</source>
        <translation>Das Speichern wurde abgebrochen; nichts wurde geschrieben.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_session.cpp"/>
        <source>Session</source>
        <translation>Sitzung</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_session.cpp"/>
        <source>The session was not opened, because another run was started in the meantime.</source>
        <translation>Die Sitzung wurde nicht geöffnet, weil inzwischen ein anderer Lauf gestartet wurde.</translation>
    </message>
    <message>
        <location filename="../../gui/app/window/window_session.cpp"/>
        <source>The step that was under way was computed to its end.</source>
        <translation>Der laufende Schritt wurde zu Ende gerechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Attention tile</source>
        <translation>Attention-Kachel</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Batch split into calls</source>
        <translation>Batch in Aufrufe geteilt</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Block copied before a write</source>
        <translation>Block vor dem Schreiben kopiert</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Block evicted</source>
        <translation>Block verworfen</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Block freed</source>
        <translation>Block freigegeben</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Block kept for its prefix</source>
        <translation>Block für sein Präfix behalten</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Block left the window</source>
        <translation>Block hat das Fenster verlassen</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Block shared</source>
        <translation>Block geteilt</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Block swapped in</source>
        <translation>Block zurückgeholt</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Block swapped out</source>
        <translation>Block ausgelagert</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Block taken</source>
        <translation>Block vergeben</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Engine step</source>
        <translation>Engine-Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Full block hashed</source>
        <translation>Voller Block gehasht</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>KV head</source>
        <translation>KV-Kopf</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Kernels and tiles</source>
        <translation>Kernel und Kacheln</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Mask or bias built</source>
        <translation>Maske oder Bias gebaut</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Padding</source>
        <translation>Padding</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Page fetch</source>
        <translation>Seite geholt</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Plan captured</source>
        <translation>Plan aufgezeichnet</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Plan replayed</source>
        <translation>Plan abgespielt</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Prefix found in the cache</source>
        <translation>Präfix im Cache gefunden</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Request finished</source>
        <translation>Anfrage fertig</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Request forked</source>
        <translation>Anfrage verzweigt</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Request preempted</source>
        <translation>Anfrage verdrängt</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Request queued</source>
        <translation>Anfrage eingereiht</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Request scheduled</source>
        <translation>Anfrage eingeplant</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Request swapped in</source>
        <translation>Anfrage zurückgeholt</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/workload/scenario_list.cpp"/>
        <source>Scheduler</source>
        <translation>Scheduler</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/workload/scenario_form.cpp"/>
        <source>Scheduling</source>
        <translation>Einplanen</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Shared block released</source>
        <translation>Geteilter Block losgelassen</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Task of a kernel</source>
        <translation>Aufgabe eines Kernels</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Token sampled</source>
        <translation>Token gezogen</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>all tokens</source>
        <translation>alle Token</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>batch size</source>
        <translation>Batchgröße</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>block of the swap pool</source>
        <translation>Block des Auslagerungsspeichers</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>bytes</source>
        <translation>Byte</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>bytes kept</source>
        <translation>behaltene Byte</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>cached tokens</source>
        <translation>gecachte Token</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>computed tokens given up</source>
        <translation>aufgegebene berechnete Token</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>computed tokens swapped out</source>
        <translation>ausgelagerte berechnete Token</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>copied from block</source>
        <translation>kopiert von Block</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>decode tokens</source>
        <translation>Decode-Token</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>free blocks</source>
        <translation>freie Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>free or cached after</source>
        <translation>danach frei oder im Cache behalten</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>goes on from</source>
        <translation>weiter von</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/models/run/run_opening.cpp"/>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>heads</source>
        <translation>Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>heads %1–%2</source>
        <translation>Köpfe %1–%2</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <source>kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>keys</source>
        <translation>Keys</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/blocks/drawing/table_painter.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>logical block</source>
        <translation>logischer Block</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>logical block of the encoder</source>
        <translation>logischer Block des Encoders</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/models/run/fact_values.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>padding rows</source>
        <translation>Padding-Zeilen</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_canvas.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/words/words_canvas.cpp"/>
        <source>position</source>
        <translation>Position</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>prefill tokens</source>
        <translation>Prefill-Token</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>prompt tokens</source>
        <translation>Prompt-Token</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>queries</source>
        <translation>Queries</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>query rows</source>
        <translation>Query-Zeilen</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>running</source>
        <translation>laufend</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>sequences</source>
        <translation>Sequenzen</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>state</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>tables that hold it</source>
        <translation>Tabellen, die ihn halten</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <source>token id</source>
        <translation>Token-ID</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/models/run/run_opening.cpp"/>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <location filename="../../gui/views/timeline/range/range_sums.cpp"/>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>waiting</source>
        <translation>wartend</translation>
    </message>
    <message>
        <location filename="../../gui/models/event_words.cpp"/>
        <location filename="../../gui/views/blocks/drawing/block_legend.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>worker %1</source>
        <translation>Worker %1</translation>
    </message>
    <message>
        <location filename="../../gui/models/explore/inside.cpp"/>
        <source>At this step the request had not arrived.</source>
        <translation>Bei diesem Schritt war die Anfrage noch nicht da.</translation>
    </message>
    <message>
        <location filename="../../gui/models/explore/inside.cpp"/>
        <source>Knock-out: the list lost the changes that name tokens, requests or sinks of the earlier run: %1.</source>
        <translation>Knock-out: Aus der Liste wurden die Änderungen entfernt, die Token, Anfragen oder Senken des früheren Laufs nennen: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/models/explore/inside.cpp"/>
        <source>Knock-out: the list of changes was emptied, because this run has another model.</source>
        <translation>Knock-out: Die Liste der Änderungen wurde geleert, weil dieser Lauf ein anderes Modell hat.</translation>
    </message>
    <message>
        <location filename="../../gui/models/explore/inside.cpp"/>
        <source>No request has arrived yet.</source>
        <translation>Noch ist keine Anfrage da.</translation>
    </message>
    <message>
        <location filename="../../gui/models/explore/inside.cpp"/>
        <source>The request has no tokens.</source>
        <translation>Die Anfrage hat keine Token.</translation>
    </message>
    <message>
        <location filename="../../gui/models/explore/inside.cpp"/>
        <source>This run has no model: its queries, keys and values come from a generator or from files, so there is no residual stream and no next token to explain.</source>
        <translation>Dieser Lauf hat kein Modell: Seine Queries, Keys und Values kommen von einem Generator oder aus Dateien. Darum gibt es keinen Residual Stream und kein nächstes Token zu erklären.</translation>
    </message>
    <message>
        <location filename="../../gui/models/lesson/lesson_places.cpp"/>
        <location filename="../../gui/views/attention/heatmap/figure/row_table.cpp"/>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/points/points_painter.cpp"/>
        <source>key</source>
        <translation>Key</translation>
    </message>
    <message>
        <location filename="../../gui/models/lesson/lesson_places.cpp"/>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/points/points_painter.cpp"/>
        <source>query</source>
        <translation>Query</translation>
    </message>
    <message>
        <location filename="../../gui/models/notes.cpp"/>
        <source>The note has %1 bytes. It may have up to %2.</source>
        <translation>Die Notiz hat %1 Byte. Sie darf bis zu %2 haben.</translation>
    </message>
    <message>
        <location filename="../../gui/models/notes.cpp"/>
        <source>The run has %1 notes, and may not have more. Remove one first.</source>
        <translation>Der Lauf hat %1 Notizen und darf nicht mehr haben. Lösche zuerst eine.</translation>
    </message>
    <message>
        <location filename="../../gui/models/notes.cpp"/>
        <source>This step of the run has not ended.</source>
        <translation>Dieser Schritt des Laufs ist nicht zu Ende.</translation>
    </message>
    <message>
        <location filename="../../gui/models/problem_words.h"/>
        <source>. Allowed: %1</source>
        <translation>. Erlaubt: %1</translation>
    </message>
    <message>
        <location filename="../../gui/models/problem_words.h"/>
        <source>. Found: %1</source>
        <translation>. Gefunden: %1</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>%1, added to the run</source>
        <translation>%1, dem Lauf hinzugefügt</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>A request is one prompt and the tokens that are generated from it.</source>
        <translation>Eine Anfrage ist ein Prompt mit den Token, die daraus erzeugt werden.</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>At the shown step the request is not in the run yet.</source>
        <translation>Beim gezeigten Schritt ist die Anfrage noch nicht im Lauf.</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>At the shown step the request is not in the run. A new run of the scenario computes it.</source>
        <translation>Beim gezeigten Schritt ist die Anfrage nicht im Lauf. Ein neuer Lauf des Szenarios berechnet sie.</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>Cut short</source>
        <translation>Abgekürzt</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>Length of the prompt in tokens. For an encoder-decoder model: the number of tokens with which the decoder begins.</source>
        <translation>Länge des Prompts in Token. Bei einem Modell mit Encoder und Decoder: die Zahl der Token, mit denen der Decoder beginnt.</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>Next step</source>
        <translation>Nächster Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>Number of cache blocks that the request holds at the shown step.</source>
        <translation>Wie viele Blöcke des Caches die Anfrage beim gezeigten Schritt hält.</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>Number of tokens generated up to the shown step.</source>
        <translation>Wie viele Token bis zum gezeigten Schritt erzeugt sind.</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>Planned</source>
        <translation>Geplant</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>The request joins the queue before the next step.</source>
        <translation>Die Anfrage kommt vor dem nächsten Schritt in die Warteschlange.</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>The state of the request in the scheduler at the shown step.</source>
        <translation>Der Zustand der Anfrage im Scheduler im gezeigten Schritt.</translation>
    </message>
    <message>
        <location filename="../../gui/models/request_model.cpp"/>
        <source>“%1” was added to this run, and not to the scenario: a new run does not compute it.</source>
        <translation>„%1“ wurde diesem Lauf hinzugefügt, nicht dem Szenario: Ein neuer Lauf berechnet die Anfrage nicht.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/fact_values.cpp"/>
        <source>%1..%2 (%3)</source>
        <translation>%1..%2 (%3)</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source> for %1 beams</source>
        <translation> für %1 Beams</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>%1 blocks of %2 tokens</source>
        <translation>%1 Blöcke zu %2 Token</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>%1 sequences decode in one step, but Batch budget is %2.</source>
        <translation>%1 Sequenzen sind in einem Schritt im Decode, aber das Batch-Budget ist %2.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>%1 sequences run at the same time, but Max sequences is %2.</source>
        <translation>%1 Sequenzen laufen gleichzeitig, aber Max. Sequenzen ist %2.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>, of which </source>
        <translation>, wovon </translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>1 block of %1 tokens</source>
        <translation>1 Block zu %1 Token</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>Batch budget</source>
        <translation>Batch-Budget</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>Blocks is %1</source>
        <translation>Blöcke ist %1</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Longest</source>
        <translation>Längste</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>Longest is %1</source>
        <translation>Längste ist %1</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Max new tokens</source>
        <translation>Max. neue Token</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>Max sequences</source>
        <translation>Max. Sequenzen</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>The encoder has %1 tokens; with it the request needs %2%3, but %4.</source>
        <translation>Der Encoder hat %1 Token; damit braucht die Anfrage %2%3, aber %4.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>The encoder would read %1 tokens; it can read %2.</source>
        <translation>Der Encoder müsste %1 Token lesen; er kann %2 lesen.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>The prompt has %1 tokens and needs %2%3, but %4.</source>
        <translation>Der Prompt hat %1 Token und braucht %2%3, aber %4.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>The prompt has %1 tokens, and with one new token it has %2; %3.</source>
        <translation>Der Prompt hat %1 Token, mit einem neuen Token sind es %2; %3.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>The prompt has %1 tokens. With the policy prefill first one step computes all of them, but Batch budget is %2.</source>
        <translation>Der Prompt hat %1 Token. Bei der Regel „Prefill zuerst“ berechnet ein Schritt alle, aber das Batch-Budget ist %2.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>The request stopped after %1 of %2 new tokens, because more tokens might not fit in the cache, which has %3 blocks of %4 tokens. With more Blocks the request can get further.</source>
        <translation>Die Anfrage hörte nach %1 von %2 neuen Token auf, weil mehr Token vielleicht nicht in den Cache passen, der %3 Blöcke zu %4 Token hat. Mit mehr Blöcken kann die Anfrage weiterkommen.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>The request stopped after %1 of %2 new tokens: the decoder begins with %3 tokens, and %4.</source>
        <translation>Die Anfrage hörte nach %1 von %2 neuen Token auf: Der Decoder beginnt mit %3 Token, und %4.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>The request stopped after %1 of %2 new tokens: the prompt has %3 tokens, and %4.</source>
        <translation>Die Anfrage hörte nach %1 von %2 neuen Token auf: Der Prompt hat %3 Token, und %4.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>There is room for %1 of the %2 new tokens: the decoder begins with %3 tokens, and %4.</source>
        <translation>Es ist Platz für %1 der %2 neuen Token: Der Decoder beginnt mit %3 Token, und %4.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>There is room for %1 of the %2 new tokens: the prompt has %3 tokens, and %4.</source>
        <translation>Es ist Platz für %1 der %2 neuen Token: Der Prompt hat %3 Token, und %4.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>There is room for %1 of the %2 new tokens: with all of them the request needs %3, but %4.</source>
        <translation>Es ist Platz für %1 der %2 neuen Token: Mit allen braucht die Anfrage %3, aber %4.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>Watermark keeps %1 free</source>
        <translation>die Reserve hält %1 frei</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>one stays empty</source>
        <translation>einer bleibt leer</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>the model reads at most %1</source>
        <translation>das Modell liest höchstens %1</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>the prompt cut to %1 tokens</source>
        <translation>der Prompt, auf %1 Token gekürzt</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/prompt_fit.cpp"/>
        <source>the tensors allow at most %1</source>
        <translation>die Tensoren erlauben höchstens %1</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/run_opening.cpp"/>
        <source>%1 heads of %2 tokens</source>
        <translation>%1 Köpfe mit %2 Token</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/run_opening.cpp"/>
        <source>Read as %1</source>
        <translation>Als %1 lesen</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/run_opening.cpp"/>
        <source>Read as cross attention</source>
        <translation>Als Cross-Attention lesen</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/run_opening.cpp"/>
        <source>The tensors have one query and %1 keys. They are read as a decode step: the query is that of the last token. The keys may also be those of an encoder.</source>
        <translation>Die Tensoren haben eine Query und %1 Keys. Sie werden als Decode-Schritt gelesen: Die Query ist die des letzten Tokens. Die Keys können auch die eines Encoders sein.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/run_opening.cpp"/>
        <source>Which axis is that of the heads? The tensors are read as %1, with the axis of %2 first. They also fit the other order: %3.</source>
        <translation>Welche Achse ist die der Köpfe? Die Tensoren werden als %1 gelesen, mit der Achse der %2 zuerst. Sie passen auch zur anderen Reihenfolge: %3.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/run_requests.cpp"/>
        <source>The run has one more request, %1. Views that show one request offer it when the next step has begun. Undo takes it back.</source>
        <translation>Der Lauf hat eine Anfrage mehr, %1. Ansichten, die eine Anfrage zeigen, bieten sie an, wenn der nächste Schritt begonnen hat. Rückgängig nimmt sie zurück.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/run_requests.cpp"/>
        <source>This run is a recorded one and cannot continue. Press Space to run its scenario again; then you can add requests.</source>
        <translation>Dieser Lauf ist aufgezeichnet und kann nicht weitergehen. Die Leertaste startet sein Szenario neu; dann kannst du Anfragen hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/run_requests.cpp"/>
        <source>“%1” has ended already, so this run keeps it. A new run does not have it. Another Undo takes back what was done before it was added.</source>
        <translation>„%1“ ist schon zu Ende, daher behält dieser Lauf die Anfrage. Ein neuer Lauf hat sie nicht. Noch einmal Rückgängig nimmt zurück, was vor ihrem Hinzufügen geschah.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run/run_requests.cpp"/>
        <source>“%1” was taken back: the request ends now, and this run keeps what was computed for it.</source>
        <translation>„%1“ wurde zurückgenommen: Die Anfrage endet jetzt, und dieser Lauf behält, was für sie gerechnet wurde.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run_control.cpp"/>
        <source>%1 was not written: the run reads this file, or the scenario does. Choose another name or folder.</source>
        <translation>%1 wurde nicht geschrieben: Der Lauf oder das Szenario liest diese Datei. Wähle einen anderen Namen oder Ordner.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run_control.cpp"/>
        <source>%1 was not written: this name has bytes that are not UTF-8, so the file would get another name. Choose another name or folder.</source>
        <translation>%1 wurde nicht geschrieben: Der Name enthält Bytes, die kein UTF-8 sind, und die Datei bekäme einen anderen Namen. Wähle einen anderen Namen oder Ordner.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run_control.cpp"/>
        <source>The run of %1 was replaced.</source>
        <translation>Der Lauf von %1 wurde ersetzt.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run_control.cpp"/>
        <source>There is no earlier run to go back to.</source>
        <translation>Es gibt keinen früheren Lauf, zu dem man zurückgehen könnte.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run_control.cpp"/>
        <source>This run is a recorded one and cannot continue. Space runs its scenario again.</source>
        <translation>Dieser Lauf ist aufgezeichnet und kann nicht weitergehen. Die Leertaste startet sein Szenario neu.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run_control.cpp"/>
        <source>Undo returned to the newer run. Undo again goes back to the run before it.</source>
        <translation>Rückgängig ist zum neueren Lauf zurückgekehrt. Noch einmal Rückgängig führt wieder zum Lauf davor.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run_control.cpp"/>
        <source>Undo went back to the run before this one. Undo again returns to the newer run.</source>
        <translation>Rückgängig hat den Lauf davor zurückgeholt. Noch einmal Rückgängig kehrt zum neueren Lauf zurück.</translation>
    </message>
    <message>
        <location filename="../../gui/models/run_control.cpp"/>
        <source>an earlier scenario</source>
        <translation>einem früheren Szenario</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <source>A token was sampled that ends the text, or other beams were better.</source>
        <translation>Es wurde ein Token gezogen, das den Text beendet, oder andere Beams waren besser.</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <source>Aborted</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <source>At limit</source>
        <translation>Am Limit</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <source>Ignored</source>
        <translation>Übergangen</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Preempted</source>
        <translation>Verdrängt</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <source>Swapped</source>
        <translation>Ausgelagert</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <source>The request has as many new tokens as it asked for, or as the model or the cache allows.</source>
        <translation>Die Anfrage hat so viele neue Token, wie sie verlangt, oder wie das Modell oder der Cache erlaubt.</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <source>The request has been admitted, and the engine computes its tokens.</source>
        <translation>Die Anfrage ist zugelassen, und die Engine berechnet ihre Token.</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <source>The request waits to begin, and holds no blocks.</source>
        <translation>Die Anfrage wartet auf ihren Beginn und hält keine Blöcke.</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <source>The request was cancelled.</source>
        <translation>Die Anfrage wurde abgebrochen.</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <source>The request was not run, because it cannot run with these settings.</source>
        <translation>Die Anfrage lief nicht, weil sie mit diesen Einstellungen nicht laufen kann.</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <source>The request was preempted to make room: its blocks were given back, and it waits until all its tokens fit in the cache again.</source>
        <translation>Die Anfrage wurde verdrängt, um Platz zu machen: Ihre Blöcke wurden zurückgegeben, und sie wartet, bis alle ihre Token wieder in den Cache passen.</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <source>The request was preempted: the content of its blocks was moved to the swap pool to make room.</source>
        <translation>Die Anfrage wurde verdrängt: Der Inhalt ihrer Blöcke wurde ausgelagert, um Platz zu machen.</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Waiting</source>
        <translation>Wartend</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/request_words.cpp"/>
        <source>given with its key and value, without a query</source>
        <translation>mit Key und Value gegeben, ohne Query</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/run_words.cpp"/>
        <source> %1 more requests were refused or ended early. Point at their rows in Workload to read why.</source>
        <translation> %1 weitere Anfragen wurden abgelehnt oder endeten früh. Zeig auf ihre Zeilen im Auftrag, um zu lesen, warum.</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/run_words.cpp"/>
        <source> One more request was refused or ended early. Point at its row in Workload to read why.</source>
        <translation> Eine weitere Anfrage wurde abgelehnt oder endete früh. Zeig auf ihre Zeile im Auftrag, um zu lesen, warum.</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/run_words.cpp"/>
        <source>%1, after attention</source>
        <translation>%1, nach der Attention</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/run_words.cpp"/>
        <source>%1, attention %2%</source>
        <translation>%1, Attention %2%</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/run_words.cpp"/>
        <source>%1, before attention</source>
        <translation>%1, vor der Attention</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/run_words.cpp"/>
        <source>No step had ended before.</source>
        <translation>Vorher war kein Schritt zu Ende.</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/run_words.cpp"/>
        <source>Step 1 is kept.</source>
        <translation>Schritt 1 bleibt erhalten.</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/run_words.cpp"/>
        <source>Steps 1 to %1 are kept.</source>
        <translation>Die Schritte 1 bis %1 bleiben erhalten.</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/run_words.cpp"/>
        <source>The run was stopped in step %1, %2; what this step had computed is dropped. %3 To get further, take a shorter prompt or another backend and run again.</source>
        <translation>Der Lauf wurde in Schritt %1 gestoppt, %2; was dieser Schritt berechnet hatte, fällt weg. %3 Um weiterzukommen, nimm einen kürzeren Prompt oder ein anderes Backend, und starte neu.</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/run_words.cpp"/>
        <source>The run was stopped, but not inside a step. %1 Press Space to start it from the beginning.</source>
        <translation>Der Lauf wurde gestoppt, aber nicht in einem Schritt. %1 Die Leertaste startet ihn von vorn.</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/run_words.cpp"/>
        <source>after the last layer</source>
        <translation>nach der letzten Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/run_words.cpp"/>
        <source>before layer 0</source>
        <translation>vor Schicht 0</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/run_words.cpp"/>
        <source>layer %1 (0..%2)</source>
        <translation>Schicht %1 (0..%2)</translation>
    </message>
    <message>
        <location filename="../../gui/models/words/run_words.cpp"/>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>planning</source>
        <translation>beim Planen</translation>
    </message>
    <message>
        <location filename="../../gui/theme/file_dialogs.cpp"/>
        <source>New folder:</source>
        <translation>Neuer Ordner:</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_canvas.cpp"/>
        <source>Difference of attention weights of two runs</source>
        <translation>Unterschied der Attention-Gewichte zweier Läufe</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_canvas.cpp"/>
        <source>No difference to show</source>
        <translation>Kein Unterschied zu zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_canvas.cpp"/>
        <location filename="../../gui/views/attention/difference/difference_painter.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <location filename="../../gui/views/compare/compare_canvas.cpp"/>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_canvas.cpp"/>
        <source>weight beside</source>
        <translation>Gewicht daneben</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_canvas.cpp"/>
        <source>weight in the window</source>
        <translation>Gewicht im Fenster</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_painter.cpp"/>
        <source>colours from %1 to %2</source>
        <translation>Farben von %1 bis %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_painter.cpp"/>
        <source>masked in both runs</source>
        <translation>in beiden Läufen maskiert</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_painter.cpp"/>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_painter.cpp"/>
        <source>not a number</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_painter.cpp"/>
        <source>not in both runs: not computed, masked or not there</source>
        <translation>nicht in beiden Läufen: nicht berechnet, maskiert oder nicht vorhanden</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_tour.cpp"/>
        <source>A cell is the weight with which a query reads a key in the run of the window, minus the same weight in the run beside. Where nothing differs, the cell has the colour of the background.</source>
        <translation>Eine Zelle ist das Gewicht, mit dem eine Query im Lauf des Fensters einen Key liest, minus dasselbe Gewicht im Lauf daneben. Wo sich nichts unterscheidet, hat die Zelle die Farbe des Hintergrunds.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_tour.cpp"/>
        <source>How far the runs differ</source>
        <translation>Wie weit sich die Läufe unterscheiden</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_tour.cpp"/>
        <source>Positions</source>
        <translation>Positionen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_tour.cpp"/>
        <source>Rows and columns are positions. Where the two runs have different tokens at a position, both tokens stand there, first the one in the window.</source>
        <translation>Zeilen und Spalten sind Positionen. Wo die beiden Läufe an einer Position verschiedene Token haben, stehen beide da, zuerst das im Fenster.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_tour.cpp"/>
        <source>Two runs, one head</source>
        <translation>Zwei Läufe, ein Kopf</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>%1: layer %2, head %3</source>
        <translation>%1: Schicht %2, Kopf %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>. and ,</source>
        <translation>. und ,</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Arrows</source>
        <translation>Pfeiltasten</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Click</source>
        <translation>Klick</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Ctrl+wheel, + and −</source>
        <translation>Strg+Rad, + und −</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Double-click, F, Home</source>
        <translation>Doppelklick, F, Pos1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <location filename="../../gui/views/inspector/inspector_view.cpp"/>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Middle drag</source>
        <translation>Mit der mittleren Taste ziehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Move the selected cell</source>
        <translation>Die ausgewählte Zelle bewegen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Next and previous head; with Shift: layer</source>
        <translation>Nächster und voriger Kopf; mit Umschalt: Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <source>No second run is open. In the menu View, “The run before, beside” (Ctrl+B) opens the run before this one, and “Session beside…” (Ctrl+Shift+B) a saved one.</source>
        <translation>Es ist kein zweiter Lauf offen. Im Menü Ansicht öffnet „Der Lauf davor, daneben“ (Strg+B) den Lauf vor diesem, und „Sitzung daneben…“ (Strg+Umschalt+B) einen gespeicherten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Pan</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Scroll up and down, sideways</source>
        <translation>Nach oben und unten, zur Seite rollen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <source>Select a cell of the run in the window</source>
        <translation>Eine Zelle des Laufs im Fenster auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Show everything</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <source>The attention weights of the shown head in the window minus those beside: which cells changed?</source>
        <translation>Die Attention-Gewichte des gezeigten Kopfs im Fenster minus die daneben: Welche Zellen haben sich geändert?</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Wheel, Shift+wheel</source>
        <translation>Rad, Umschalt+Rad</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.cpp"/>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Zoom</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_view.h"/>
        <source>Difference of attention weights</source>
        <translation>Unterschied der Attention-Gewichte</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_painter.cpp"/>
        <source>%1 cells</source>
        <translation>%1 Zellen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>%1 positions</source>
        <translation>%1 Positionen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>%1: attention weights in the window minus those beside, layer %2, head %3</source>
        <translation>%1: Attention-Gewichte im Fenster minus die daneben, Schicht %2, Kopf %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_painter.cpp"/>
        <source>1 cell</source>
        <translation>1 Zelle</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>1 position</source>
        <translation>1 Position</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>After step %1 in the window and step %2 beside.</source>
        <translation>Nach Schritt %1 im Fenster und Schritt %2 daneben.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>Changed inside the model: in the window %1, beside %2.</source>
        <translation>Im Inneren des Modells geändert: im Fenster %1, daneben %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>Difference = weight in the window (%1) − weight beside (%2).</source>
        <translation>Differenz = Gewicht im Fenster (%1) − Gewicht daneben (%2).</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>Largest |difference| %1, at query %2, key %3, where the weight beside is larger; mean |difference| %4 over %5 that both runs have.</source>
        <translation>Größte |Differenz| %1, bei Query %2, Key %3, wo das Gewicht daneben größer ist; mittlere |Differenz| %4, gemittelt über alles, was beide Läufe haben: %5.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>Largest |difference| %1, at query %2, key %3, where the weight in the window is larger; mean |difference| %4 over %5 that both runs have.</source>
        <translation>Größte |Differenz| %1, bei Query %2, Key %3, wo das Gewicht im Fenster größer ist; mittlere |Differenz| %4, gemittelt über alles, was beide Läufe haben: %5.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>Left out, because their difference is not a number: %1.</source>
        <translation>Ausgelassen, weil ihre Differenz keine Zahl ist: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>No difference is a number.</source>
        <translation>Kein Unterschied ist eine Zahl.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>No difference: the weights of both runs are equal (%1 compared).</source>
        <translation>Kein Unterschied: Die Gewichte beider Läufe sind gleich (%1 verglichen).</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>Positions are compared, not words: %1 in the window, %2 beside, different tokens at %3.</source>
        <translation>Verglichen werden Positionen, nicht Wörter: %1 im Fenster, %2 daneben; verschiedene Token an %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>Request “%1” is paired with the request of the same name.</source>
        <translation>Die Anfrage „%1“ steht der Anfrage desselben Namens gegenüber.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>Request “%1” is paired with “%2”, which has the same place in the list of requests.</source>
        <translation>Die Anfrage „%1“ steht „%2“ gegenüber, die denselben Platz in der Liste der Anfragen hat.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>The differences are being computed.</source>
        <translation>Die Unterschiede werden berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>There is no cell for which both runs have a weight.</source>
        <translation>Es gibt keine Zelle, für die beide Läufe ein Gewicht haben.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>These numbers are of the cells read so far.</source>
        <translation>Diese Zahlen gelten für die bisher gelesenen Zellen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>beside: %1</source>
        <translation>daneben: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>difference %1</source>
        <translation>Differenz %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_painter.cpp"/>
        <source>each dot: the largest difference, with its sign, of %1 × %1 cells</source>
        <translation>jeder Punkt: der größte Unterschied, mit Vorzeichen, von %1 × %1 Zellen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>in the window: %1</source>
        <translation>im Fenster: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>masked: %1</source>
        <translation>maskiert: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>no difference, because not both runs have a weight</source>
        <translation>keine Differenz, weil nicht beide Läufe ein Gewicht haben</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_painter.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>not computed</source>
        <translation>nicht berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <source>query %1, key %2</source>
        <translation>Query %1, Key %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>there is no such position</source>
        <translation>diese Position gibt es nicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/difference_words.cpp"/>
        <source>weight %1</source>
        <translation>Gewicht %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/run_pair.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>%1 layers</source>
        <translation>%1 Schichten</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/run_pair.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>1 layer</source>
        <translation>1 Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/run_pair.cpp"/>
        <source>In layer %1 the two runs read different kinds of tokens, such as those of an encoder and those of a decoder, so positions cannot be compared.</source>
        <translation>In Schicht %1 lesen die beiden Läufe verschiedene Arten von Token, etwa die eines Encoders und die eines Decoders; deshalb lassen sich Positionen nicht vergleichen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/run_pair.cpp"/>
        <source>No row of request “%1” is computed in the run beside at this step.</source>
        <translation>Bei diesem Schritt ist im Lauf daneben keine Zeile der Anfrage „%1“ berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/run_pair.cpp"/>
        <source>No row of request “%1” is computed in the window at this step.</source>
        <translation>Bei diesem Schritt ist im Fenster keine Zeile der Anfrage „%1“ berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/run_pair.cpp"/>
        <source>The run beside has no layer %1 with a head %2: it has %3, and in each %4. Choose another layer or head in the window.</source>
        <translation>Der Lauf daneben hat keine Schicht %1 mit einem Kopf %2: Er hat %3, und in jeder %4. Wähle im Fenster eine andere Schicht oder einen anderen Kopf.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/run_pair.cpp"/>
        <source>The run beside has no request “%1”, and its list of requests has no place %2. Choose another request in the window.</source>
        <translation>Der Lauf daneben hat keine Anfrage „%1“, und seine Liste der Anfragen hat keinen Platz %2. Wähle im Fenster eine andere Anfrage.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/run_pair.cpp"/>
        <source>The run beside is being opened, or it has no request.</source>
        <translation>Der Lauf daneben wird gerade geöffnet, oder er hat keine Anfrage.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/difference/run_pair.cpp"/>
        <source>The run in the window has no request yet.</source>
        <translation>Der Lauf im Fenster hat noch keine Anfrage.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_canvas.cpp"/>
        <source>Heads appear here as small pictures with their scores.</source>
        <translation>Hier erscheinen Köpfe als kleine Bilder mit ihren Scores.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_canvas.cpp"/>
        <source>Heads of all layers</source>
        <translation>Köpfe aller Schichten</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_canvas.cpp"/>
        <source>No heads yet</source>
        <translation>Noch keine Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source> · KV %1</source>
        <translation> · KV %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source> · cross</source>
        <translation> · Cross</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>%1 at %2 %3</source>
        <translation>%1 bei %2 %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>%1 left out, because one of the two scores is n/a or NaN; </source>
        <translation>%1 weggelassen, weil einer der beiden Scores n. def. oder NaN ist; </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>Bars end at 1; %1</source>
        <translation>Balken enden bei 1; %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <location filename="../../gui/views/attention/heatmap/figure/heads_figure.cpp"/>
        <source>E%1</source>
        <translation>E%1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>KV %1</source>
        <translation>KV %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>KV head %1</source>
        <translation>KV-Kopf %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>Thumbnails and scores are being computed, %1 of %2 left. </source>
        <translation>Miniaturen und Scores werden berechnet, noch %1 von %2. </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>below each head: %1</source>
        <translation>unter jedem Kopf: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <location filename="../../gui/views/attention/heatmap/figure/heads_figure.cpp"/>
        <source>each dot = max of %1 × %1 cells</source>
        <translation>jeder Punkt = Maximum von %1 × %1 Zellen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>each dot = max of %1 × %1 weights</source>
        <translation>jeder Punkt = Maximum von %1 × %1 Gewichten</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>each dot = mean of %1 × %1 cells</source>
        <translation>jeder Punkt = Mittel von %1 × %1 Zellen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>each dot = mean of %1 × %1 weights</source>
        <translation>jeder Punkt = Mittel von %1 × %1 Gewichten</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>each dot = one cell</source>
        <translation>jeder Punkt = eine Zelle</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>each dot = one weight</source>
        <translation>jeder Punkt = ein Gewicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>each point is a head, named layer.head; %1: %2</source>
        <translation>jeder Punkt ist ein Kopf, benannt Schicht.Kopf; %1: %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>each row is a query, each column a key; %1</source>
        <translation>jede Zeile ist eine Query, jede Spalte ein Key; %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <location filename="../../gui/views/attention/heatmap/figure/heads_figure.cpp"/>
        <source>head →</source>
        <translation>Kopf →</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>head → (bracketed heads share one KV head)</source>
        <translation>Kopf → (Köpfe einer Klammer teilen einen KV-Kopf)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>rows: %1 of the decoder; columns: %2 of the encoder</source>
        <translation>Zeilen: %1 des Decoders; Spalten: %2 des Encoders</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>rows: %1 of the decoder; columns: the same tokens in self attention, %2 of the encoder in cross attention</source>
        <translation>Zeilen: %1 des Decoders; Spalten: in Self-Attention dieselben Token, in Cross-Attention %2 des Encoders</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>rows: %1 of the decoder; columns: the same tokens in self attention, %2 of the encoder in cross attention; in the encoder's layers both are its tokens</source>
        <translation>Zeilen: %1 des Decoders; Spalten: in Self-Attention dieselben Token, in Cross-Attention %2 des Encoders; in den Schichten des Encoders sind beides dessen Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>the head that the other views show</source>
        <translation>der Kopf, den die anderen Ansichten zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <location filename="../../gui/views/attention/heatmap/figure/heads_figure.cpp"/>
        <source>← layer</source>
        <translation>← Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_painter.cpp"/>
        <source>← layer (E: encoder)</source>
        <translation>← Schicht (E: Encoder)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source> (%1 cut off at %2 tokens)</source>
        <translation> (%1 nach %2 Token abgeschnitten)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source> (shared by heads %1)</source>
        <translation> (geteilt von den Köpfen %1)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>%1 texts</source>
        <translation>%1 Texte</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>%1: %2 over %3</source>
        <translation>%1: %2 über %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>, %1 against %2</source>
        <translation>, %1 gegen %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <location filename="../../gui/views/points/points_scene.cpp"/>
        <location filename="../../gui/views/rotary/rotary_scene.cpp"/>
        <location filename="../../gui/views/words/words_painter.cpp"/>
        <source>, at step %1</source>
        <translation>, bei Schritt %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>, ranked by: %1</source>
        <translation>, sortiert nach: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>, without the changes inside the model</source>
        <translation>, ohne die Änderungen im Modell</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>1 row</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>1 text</source>
        <translation>1 Text</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>: not defined in cross attention, where the keys are the encoder's</source>
        <translation>: nicht definiert in Cross-Attention, wo die Keys vom Encoder kommen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>; the pictures are those of “%1”</source>
        <translation>; die Bilder sind die von „%1“</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <location filename="../../gui/widgets/request/interventions_line.cpp"/>
        <source>Changed inside the model: %1</source>
        <translation>Im Modell geändert: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>Scores over %1 of “%2” with %3</source>
        <translation>Scores über %1 aus „%2“ mit %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>The scores say what the head reads. What it writes is replaced.</source>
        <translation>Die Scores sagen, was der Kopf liest. Was er schreibt, ist ersetzt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>distance</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>duplicate</source>
        <translation>Doppel</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>entropy</source>
        <translation>Entropie</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>entropy of each row's weights ÷ ln(visible keys), mean over the rows with two keys or more: 0 if all weight is on one key, 1 if it is spread evenly over all</source>
        <translation>Entropie der Gewichte jeder Zeile ÷ ln(sichtbare Keys), Mittel über die Zeilen mit zwei Keys oder mehr: 0, wenn alles Gewicht auf einem Key liegt, 1, wenn es gleichmäßig auf alle verteilt ist</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>entropy −Σ w ln w of each row's weights, mean over the rows: 0 if all weight is on one key, ln n if it is spread evenly over n keys</source>
        <translation>Entropie −Σ w ln w der Gewichte jeder Zeile, Mittel über die Zeilen: 0, wenn alles Gewicht auf einem Key liegt, ln n, wenn es gleichmäßig auf n Keys verteilt ist</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>first token</source>
        <translation>erstes Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>induction</source>
        <translation>Induktion</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>layer %1, head %2, KV head %3</source>
        <translation>Schicht %1, Kopf %2, KV-Kopf %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>mean distance between query and key: Σ w |query − key| ÷ Σ w over all rows</source>
        <translation>mittlerer Abstand zwischen Query und Key: Σ w |Query − Key| ÷ Σ w über alle Zeilen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>n/a</source>
        <translation>n. def.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>nats</source>
        <translation>Nat</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>not computed yet</source>
        <translation>noch nicht berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>previous</source>
        <translation>Vorgänger</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>spread</source>
        <translation>Streuung</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>tokens²</source>
        <translation>Token²</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>variance of the distance: Σ w (|query − key| − mean)² ÷ Σ w over all rows</source>
        <translation>Varianz des Abstands: Σ w (|Query − Key| − Mittel)² ÷ Σ w über alle Zeilen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>weight on earlier occurrences of the query's own token, mean over the rows that see the nearest of them</source>
        <translation>Gewicht auf früheren Vorkommen des Tokens der Query selbst, Mittel über die Zeilen, die das nächste davon sehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>weight on the first token, mean over the rows that also see another token</source>
        <translation>Gewicht auf dem ersten Token, Mittel über die Zeilen, die auch ein anderes Token sehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>weight on the token before the query, mean over the rows that see it</source>
        <translation>Gewicht auf dem Token vor der Query, Mittel über die Zeilen, die es sehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_scene.cpp"/>
        <source>weight on the tokens that followed earlier occurrences of the query's own token, mean over the rows that see the nearest of them; the query itself does not count</source>
        <translation>Gewicht auf den Token, die auf frühere Vorkommen des eigenen Tokens der Query folgten, Mittel über die Zeilen, die das nächste davon sehen; die Query selbst zählt nicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_tour.cpp"/>
        <source>All heads at once</source>
        <translation>Alle Köpfe auf einmal</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_tour.cpp"/>
        <source>Another order</source>
        <translation>Eine andere Reihenfolge</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_tour.cpp"/>
        <source>Layer %1, head %2 has the largest score “%3” of those computed: %4. The score is: %5.</source>
        <translation>Schicht %1, Kopf %2 hat den größten Score „%3“ von denen, die berechnet sind: %4. Der Score ist: %5.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_tour.cpp"/>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_tour.cpp"/>
        <source>No row of this request has been computed at this step. Press Space to run, or move the slider in the status line to a later step.</source>
        <translation>Bei diesem Schritt ist noch keine Zeile dieser Anfrage berechnet. Starte mit der Leertaste, oder gehe mit dem Schieber in der Statuszeile zu einem späteren Schritt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_tour.cpp"/>
        <source>The boxes can rank the heads by a score, or show them as points over two scores. </source>
        <translation>Die Felder können die Köpfe nach einem Score ordnen oder als Punkte über zwei Scores zeigen. </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_tour.cpp"/>
        <source>The head that reads the first token most</source>
        <translation>Der Kopf, der das erste Token am meisten liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_tour.cpp"/>
        <source>The head that reads the preceding token most</source>
        <translation>Der Kopf, der das vorige Token am meisten liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_tour.cpp"/>
        <source>The head that the other views show</source>
        <translation>Der Kopf, den die anderen Ansichten zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_tour.cpp"/>
        <source>The largest value of the chosen score</source>
        <translation>Der größte Wert des gewählten Scores</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_tour.cpp"/>
        <source>The model has %1 layers with %2 heads each, %3 heads in all. A point is a head; its place shows two of its scores.</source>
        <translation>Das Modell hat %1 Schichten mit je %2 Köpfen, zusammen %3 Köpfe. Ein Punkt ist ein Kopf; sein Ort zeigt zwei seiner Scores.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_tour.cpp"/>
        <source>The model has %1 layers with %2 heads each, %3 heads in all. A small heatmap shows what a head reads in the request “%4”.</source>
        <translation>Das Modell hat %1 Schichten mit je %2 Köpfen, zusammen %3 Köpfe. Eine kleine Heatmap zeigt, was ein Kopf in der Anfrage „%4“ liest.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_tour.cpp"/>
        <source>These scores are those of this request (%1 rows). If the model allows it, the button Texts shows scores over many texts.</source>
        <translation>Diese Scores sind die dieser Anfrage (%1 Zeilen). Wenn das Modell es erlaubt, zeigt die Schaltfläche „Texte“ Scores über viele Texte.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_tour.cpp"/>
        <source>This is head %1 of layer %2, the one that is chosen in Heatmap and Lines. Click another head to choose that one.</source>
        <translation>Das ist Kopf %1 von Schicht %2, der in Heatmap und Linien gewählt ist. Klicke einen anderen Kopf an, um diesen zu wählen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>A picture is one head. Rank the heads by “previous”: the first ones look most at the token before.</source>
        <translation>Ein Bild ist ein Kopf. Ordne die Köpfe nach „Vorgänger“: Die ersten schauen am meisten auf das Token davor.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Arrange by layer, rank by the next score, or show points</source>
        <translation>Nach Schicht ordnen, nach dem nächsten Score sortieren oder Punkte zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Arrange the heads by layer, rank them by a score, or show them as points over two scores (O)</source>
        <translation>Die Köpfe nach Schicht ordnen, nach einem Score sortieren oder als Punkte über zwei Scores zeigen (O)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Arrangement</source>
        <translation>Anordnung</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>Block value</source>
        <translation>Blockwert</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>C, L, M</source>
        <translation>C, L, M</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Choose the next score: for the labels, the ranking or the height of the points</source>
        <translation>Den nächsten Score wählen: für die Beschriftung, die Rangfolge oder die Höhe der Punkte</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Choose the score that stands below the heads or in bold beside them, or sets the height of the points (S)</source>
        <translation>Den Score wählen, der unter den Köpfen oder fett neben ihnen steht oder die Höhe der Punkte bestimmt (S)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Click, Enter</source>
        <translation>Klick, Eingabe</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>E</source>
        <translation>E</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Entropy</source>
        <translation>Entropie</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Entropy in nats, or as a share of the largest possible entropy</source>
        <translation>Entropie in Nat, oder als Anteil der größtmöglichen Entropie</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Entropy in nats, or divided by the largest possible entropy of the row, ln(visible keys) (E)</source>
        <translation>Entropie in Nat, oder geteilt durch die größtmögliche Entropie der Zeile, ln(sichtbare Keys) (E)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>F, Home</source>
        <translation>F, Pos1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Heads</source>
        <translation>Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Larger and smaller thumbnails</source>
        <translation>Größere und kleinere Bilder</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Move over the heads</source>
        <translation>Durch die Köpfe gehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Next colour map; linear or log scale; max or mean of the cells of a dot</source>
        <translation>Nächste Farbskala; lineare oder logarithmische Skala; Maximum oder Mittel der Zellen eines Punktes</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_export.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>No attention has been computed.</source>
        <translation>Es wurde noch keine Attention berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Nothing computed yet</source>
        <translation>Noch nichts berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>O</source>
        <translation>O</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Points: the more to the right, the larger this score (A)</source>
        <translation>Punkte: je weiter rechts, desto größer dieser Score (A)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Points: the next score for the axis to the right</source>
        <translation>Punkte: der nächste Score für die Achse nach rechts</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>S</source>
        <translation>S</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Scale</source>
        <translation>Skala</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>Scale of the colours (L). A log scale makes small numbers visible</source>
        <translation>Skala der Farben (L). Eine logarithmische Skala macht kleine Zahlen sichtbar</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Score</source>
        <translation>Score</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Score to the right</source>
        <translation>Score nach rechts</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Scores of this request, or over many texts; Esc cancels</source>
        <translation>Scores dieser Anfrage oder über viele Texte; Esc bricht ab</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <location filename="../../gui/views/inspector/inspector_view.cpp"/>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Scroll</source>
        <translation>Rollen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Show the head in the heatmap and the other views</source>
        <translation>Den Kopf in der Heatmap und den anderen Ansichten zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Show the heads of all layers with their scores</source>
        <translation>Die Köpfe aller Schichten mit ihren Scores zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Show the next number that can be shown: weight, weight × |v| or weight × |W_O v|</source>
        <translation>Die nächste Zahl, die sich zeigen lässt: Gewicht, Gewicht × |v| oder Gewicht × |W_O v|</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>T</source>
        <translation>T</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>The value of a dot that stands for several cells: their maximum or their mean (M)</source>
        <translation>Der Wert eines Punktes, der für mehrere Zellen steht: ihr Maximum oder ihr Mittel (M)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>Thumbnails in their usual size</source>
        <translation>Miniaturen in üblicher Größe</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>W</source>
        <translation>W</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Wheel, Page up, Page down</source>
        <translation>Rad, Bild auf, Bild ab</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>as points</source>
        <translation>als Punkte</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>by %1</source>
        <translation>nach %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>by layer</source>
        <translation>nach Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>edge cut</source>
        <translation>Kante weg</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>entropy in nats</source>
        <translation>Entropie in Nat</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>entropy ÷ ln n</source>
        <translation>Entropie ÷ ln n</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>max</source>
        <translation>max</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>no sink</source>
        <translation>keine Senke</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <location filename="../../gui/views/workload/fields/backend_fields.cpp"/>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>replaced</source>
        <translation>ersetzt</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.cpp"/>
        <source>→ %1</source>
        <translation>→ %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_grid_view.h"/>
        <source>Head grid</source>
        <translation>Raster der Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>A UTF-8 file with a text on each line</source>
        <translation>Eine UTF-8-Datei mit einem Text in jeder Zeile</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>No model is loaded yet.</source>
        <translation>Noch ist kein Modell geladen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Open a file with a text on each line</source>
        <translation>Eine Datei mit einem Text in jeder Zeile öffnen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Over the shipped texts “%1”</source>
        <translation>Über die mitgelieferten Texte „%1“</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Over the texts of a file…</source>
        <translation>Über die Texte einer Datei …</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Over the texts of another file…</source>
        <translation>Über die Texte einer anderen Datei…</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Over the texts of “%1”</source>
        <translation>Über die Texte von „%1“</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Read the file %1 again</source>
        <translation>Die Datei %1 noch einmal lesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Scores of this request</source>
        <translation>Scores dieser Anfrage</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Scores over texts need a model that reads one text; this one reads two texts, one in its encoder and one in its decoder.</source>
        <translation>Scores über Texte brauchen ein Modell, das einen Text liest; dieses liest zwei Texte, einen im Encoder und einen im Decoder.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Scores over texts need a model that reads texts; this run has none.</source>
        <translation>Scores über Texte brauchen ein Modell, das Texte liest; dieser Lauf hat keines.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Scores over texts: %1% is computed, and the run waits meanwhile. Esc cancels.</source>
        <translation>Scores über Texte: %1% ist berechnet, solange wartet der Lauf. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Short stories with repeated words</source>
        <translation>Kurze Geschichten mit wiederholten Wörtern</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Show the scores over many texts instead of those of the request (T)</source>
        <translation>Die Scores über viele Texte zeigen statt die der Anfrage (T)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Texts</source>
        <translation>Texte</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Texts (*.txt);;All files (*)</source>
        <translation>Texte (*.txt);;Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Texts of the scores</source>
        <translation>Texte der Scores</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>Texts: %1</source>
        <translation>Texte: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>The scores are those of the request that is shown</source>
        <translation>Die Scores sind die der gezeigten Anfrage</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heads/head_texts.cpp"/>
        <source>The scores over texts begin between two steps of the engine; a run that is paused inside a step has to end it first. Esc cancels.</source>
        <translation>Die Scores über Texte beginnen zwischen zwei Schritten der Engine; ein Lauf, der in einem Schritt angehalten ist, muss ihn erst beenden. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/choice/heatmap_entry.cpp"/>
        <source>A row is a token that reads; its large weights show which tokens it reads most.</source>
        <translation>Eine Zeile ist ein Token, das liest; ihre großen Gewichte zeigen, welche Token es am meisten liest.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/choice/heatmap_entry.cpp"/>
        <source>Export the weights of layers and heads</source>
        <translation>Gewichte der Schichten und Köpfe exportieren</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/choice/heatmap_entry.cpp"/>
        <source>Figure of the heatmap…</source>
        <translation>Heatmap-Abbildung…</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/choice/heatmap_entry.cpp"/>
        <source>Show the heatmap</source>
        <translation>Die Heatmap zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/choice/heatmap_entry.cpp"/>
        <source>Weights of layers and heads…</source>
        <translation>Gewichte der Schichten und Köpfe…</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_labels.cpp"/>
        <source>encoder (key) →</source>
        <translation>Encoder (Key) →</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_labels.cpp"/>
        <source>encoder's token (key), is read →</source>
        <translation>Token des Encoders (Key), wird gelesen →</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_labels.cpp"/>
        <source>key token, is read →</source>
        <translation>Key-Token, wird gelesen →</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_labels.cpp"/>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>key →</source>
        <translation>Key →</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_labels.cpp"/>
        <source>← decoder (query)</source>
        <translation>← Decoder (Query)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_labels.cpp"/>
        <source>← decoder's token (query), reads</source>
        <translation>← Token des Decoders (Query), liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_labels.cpp"/>
        <source>← encoder (query)</source>
        <translation>← Encoder (Query)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_labels.cpp"/>
        <source>← encoder's token (query), reads</source>
        <translation>← Token des Encoders (Query), liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_labels.cpp"/>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>← query</source>
        <translation>← Query</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_labels.cpp"/>
        <source>← query token, reads</source>
        <translation>← Query-Token, liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_painter.cpp"/>
        <source>; %1 of %2 in the rows shown</source>
        <translation>; %1 von %2 in den gezeigten Zeilen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_painter.cpp"/>
        <source>computing, %1 pieces to go</source>
        <translation>wird berechnet, noch %1 Teile</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_painter.cpp"/>
        <source>each dot: maximum of %1 × %1 cells</source>
        <translation>jeder Punkt: Maximum von %1 × %1 Zellen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_painter.cpp"/>
        <source>each dot: mean of %1 × %1 cells</source>
        <translation>jeder Punkt: Mittel von %1 × %1 Zellen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_painter.cpp"/>
        <source>not kept</source>
        <translation>nicht behalten</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_painter.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>not yet computed at step %1</source>
        <translation>bei Schritt %1 noch nicht berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_painter.cpp"/>
        <source>the sink, one more score of %1 in each row, has no cell</source>
        <translation>die Senke, ein weiterer Score von %1 in jeder Zeile, hat keine Zelle</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_painter.cpp"/>
        <source>without a query, or not computed</source>
        <translation>ohne Query oder nicht berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_painter.cpp"/>
        <source>without a query, or not yet computed at step %1</source>
        <translation>ohne Query oder bei Schritt %1 noch nicht berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_sums.cpp"/>
        <source>column sum</source>
        <translation>Σ Spalte</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_sums.cpp"/>
        <source>max %1</source>
        <translation>max %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_sums.cpp"/>
        <source>row max</source>
        <translation>Max.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_sums.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>row sum</source>
        <translation>Σ Zeile</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_sums.cpp"/>
        <location filename="../../gui/views/attention/heatmap/figure/row_table.cpp"/>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <location filename="../../gui/views/timeline/range/range_sums.cpp"/>
        <source>sum</source>
        <translation>Summe</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_sums.cpp"/>
        <source>sum of all cells %1</source>
        <translation>Summe aller Zellen %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_sums.cpp"/>
        <source>sum of all cells %1; first token: %2% of the weights of all rows</source>
        <translation>Summe aller Zellen %1; erstes Token: %2% der Gewichte aller Zeilen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_sums.cpp"/>
        <source>zoom in to see the largest scores</source>
        <translation>für die größten Scores vergrößern</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/drawing/heatmap_sums.cpp"/>
        <source>zoom in to see the sums</source>
        <translation>für die Summen vergrößern</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/figure/heads_figure.cpp"/>
        <source>%1 of %2 layers, those that read the same tokens, all %3 heads</source>
        <translation>%1 von %2 Schichten, die dieselben Token lesen, alle %3 Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/figure/heads_figure.cpp"/>
        <source>%1: attention weights, %2, %3 tokens</source>
        <translation>%1: Attention-Gewichte, %2, %3 Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/figure/heads_figure.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_scene.cpp"/>
        <source>, after step %1</source>
        <translation>, nach Schritt %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/figure/heads_figure.cpp"/>
        <source>across: key token</source>
        <translation>waagerecht: Key-Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/figure/heads_figure.cpp"/>
        <source>all %1 layers, all %2 heads</source>
        <translation>alle %1 Schichten, alle %2 Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/figure/heads_figure.cpp"/>
        <source>down: query token</source>
        <translation>senkrecht: Query-Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/figure/heads_figure.cpp"/>
        <source>hatched = %1</source>
        <translation>schraffiert = %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/figure/heads_figure.cpp"/>
        <source>layer %1, all %2 heads</source>
        <translation>Schicht %1, alle %2 Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/figure/heads_figure.cpp"/>
        <location filename="../../gui/views/attention/heatmap/figure/row_table.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/points/points_canvas.cpp"/>
        <source>weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/figure/row_table.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>exp(score − max)</source>
        <translation>exp(Score − max)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/figure/row_table.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <location filename="../../gui/views/rotary/rotary_canvas.cpp"/>
        <source>score</source>
        <translation>Score</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/figure/row_table.cpp"/>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>weight × |v|</source>
        <translation>Gewicht × |v|</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/figure/row_table.cpp"/>
        <source>|v|</source>
        <translation>|v|</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <location filename="../../gui/widgets/request/head_view.cpp"/>
        <source>Attention head (. and ,)</source>
        <translation>Attention-Kopf (. und ,)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <location filename="../../gui/widgets/request/head_view.cpp"/>
        <source>Attention layer (Shift+. and Shift+,)</source>
        <translation>Attention-Schicht (Umschalt+. und Umschalt+,)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>Cells that are kept</source>
        <translation>Zellen, die behalten werden</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>Choose one head, a mean or a difference (V), the number that a cell shows (S), and which cells are kept (K)</source>
        <translation>Einen Kopf, ein Mittel oder eine Differenz wählen (V), die Zahl, die eine Zelle zeigt (S), und welche Zellen behalten werden (K)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>Colour map</source>
        <translation>Farbskala</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>Colour map (C)</source>
        <translation>Farbskala (C)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>H </source>
        <translation>K </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>Head that is subtracted</source>
        <translation>Kopf, der abgezogen wird</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>Heads that are shown</source>
        <translation>Köpfe, die gezeigt werden</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>L </source>
        <translation>S </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>Layer that is subtracted</source>
        <translation>Schicht, die abgezogen wird</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>Number that a cell shows</source>
        <translation>Zahl, die eine Zelle zeigt</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>The difference that gets the strongest colour; larger ones get the same colour (L)</source>
        <translation>Die Differenz, die die stärkste Farbe bekommt; größere bekommen dieselbe (L)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>The head that is subtracted (O)</source>
        <translation>Der Kopf, der abgezogen wird (O)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>The layer that is subtracted (Shift+O)</source>
        <translation>Die Schicht, die abgezogen wird (Umschalt+O)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <location filename="../../gui/widgets/request/request_box.cpp"/>
        <source>The request whose attention is shown</source>
        <translation>Die Anfrage, deren Attention zu sehen ist</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <location filename="../../gui/widgets/request/request_box.cpp"/>
        <source>The request whose attention is shown: %1</source>
        <translation>Die Anfrage, deren Attention zu sehen ist: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>The value of a dot that stands for several cells: their mean or their maximum; in place of the maximum of differences, the largest difference with its sign (M)</source>
        <translation>Der Wert eines Punktes, der für mehrere Zellen steht: ihr Mittel oder ihr Maximum; statt des Maximums von Differenzen die größte Differenz mit ihrem Vorzeichen (M)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <location filename="../../gui/views/attention/written/quantity_box.cpp"/>
        <source>What is shown</source>
        <translation>Was zu sehen ist</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>enc. L </source>
        <translation>Enc. S </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>encoder layer </source>
        <translation>Encoder-Schicht </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/widgets/request/head_view.cpp"/>
        <source>head </source>
        <translation>Kopf </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/widgets/request/head_view.cpp"/>
        <source>layer </source>
        <translation>Schicht </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>− L </source>
        <translation>− S </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>− enc. L </source>
        <translation>− Enc. S </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>− encoder layer </source>
        <translation>− Encoder-Schicht </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_header.cpp"/>
        <source>− layer </source>
        <translation>− Schicht </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Arrows, Page up, Page down</source>
        <translation>Pfeiltasten, Bild auf, Bild ab</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Copy the row as a table</source>
        <translation>Zeile als Tabelle kopieren</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Drag</source>
        <translation>Ziehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Enter, Esc</source>
        <translation>Eingabe, Esc</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>In a difference: subtract the next head, the next layer</source>
        <translation>In einer Differenz: den nächsten Kopf, die nächste Schicht abziehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>K, Shift+K</source>
        <translation>K, Umschalt+K</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Next and previous choice of the cells that are kept</source>
        <translation>Nächste und vorige Wahl der Zellen, die behalten werden</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Next and previous choice: one head, a mean or a difference</source>
        <translation>Nächste und vorige Wahl: ein Kopf, ein Mittel oder eine Differenz</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Next and previous number for the cells, such as weight or score</source>
        <translation>Nächste und vorige Zahl der Zellen, etwa Gewicht oder Score</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Next colour map; linear or log scale, or the range of a difference; max or mean of the cells of a dot</source>
        <translation>Nächste Farbskala; lineare oder logarithmische Skala, oder der Bereich einer Differenz; Maximum oder Mittel der Zellen eines Punktes</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>O, Shift+O</source>
        <translation>O, Umschalt+O</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>S, Shift+S</source>
        <translation>S, Umschalt+S</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Select a cell, or a token by its label</source>
        <translation>Eine Zelle auswählen, oder ein Token an seiner Beschriftung</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Select the cell at the cursor, clear the selection</source>
        <translation>Die Zelle am Zeiger auswählen, die Auswahl aufheben</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Select the token of the cell's row or, in self attention, of its column</source>
        <translation>Das Token der Zeile dieser Zelle auswählen oder, in Self-Attention, das ihrer Spalte</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>T, Shift+T</source>
        <translation>T, Umschalt+T</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>V, Shift+V</source>
        <translation>V, Umschalt+V</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Zoom at the pointer (wheel), at the middle (keys)</source>
        <translation>Am Zeiger (Rad), in der Mitte (Tasten) vergrößern</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_input.cpp"/>
        <source>Zoom to the dragged area</source>
        <translation>Auf die gezogene Fläche vergrößern</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_mark.cpp"/>
        <source>keys in block %1</source>
        <translation>Keys in Block %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_mark.cpp"/>
        <source>keys in host block %1</source>
        <translation>Keys in ausgelagertem Block %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_mark.cpp"/>
        <source>tile</source>
        <translation>Kachel</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_scene.cpp"/>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <location filename="../../gui/views/step/step_painter.cpp"/>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_scene.cpp"/>
        <source>%1: %2, %3, %4</source>
        <translation>%1: %2, %3, %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_scene.cpp"/>
        <source>layer %1, head %2 (KV head %3)</source>
        <translation>Schicht %1, Kopf %2 (KV-Kopf %3)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>
block %1, slot %2</source>
        <translation>
Block %1, Slot %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>
largest score of the row %1</source>
        <translation>
größter Score der Zeile %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>
row sum %1</source>
        <translation>
Zeilensumme %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>%1
= %2 − %3 = %4</source>
        <translation>%1
= %2 − %3 = %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>%1 = %2 × %3 = %4</source>
        <translation>%1 = %2 × %3 = %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>%1, %2, %3</source>
        <translation>%1, %2, %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>%1, %2, %3 of the decoder read %4 of the encoder</source>
        <translation>%1, %2, %3 des Decoders lesen %4 des Encoders</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>%1: %2
from %3 (layer %4 head %5) to %6 (layer %7 head %8)</source>
        <translation>%1: %2
von %3 (Schicht %4 Kopf %5) bis %6 (Schicht %7 Kopf %8)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>, block %1, slot %2</source>
        <translation>, Block %1, Slot %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>; the query's token is %1</source>
        <translation>; das Token der Query ist %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>column sum %1</source>
        <translation>Spaltensumme %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>exp(score − max) %1 = exp(%2 − %3)</source>
        <translation>exp(Score − max) %1 = exp(%2 − %3)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>masked, so left out of the softmax: %1</source>
        <translation>maskiert, also aus der Softmax weggelassen: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>masked, so without a score: %1</source>
        <translation>maskiert, also ohne Score: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>query %1 %2 reads key %3 %4</source>
        <translation>Query %1 %2 liest Key %3 %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>query %1 %2, key %3 %4</source>
        <translation>Query %1 %2, Key %3 %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>score %1 = %2, q·k = %3</source>
        <translation>Score %1 = %2, q·k = %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>weight %1 = exp(scale × q·k − log-sum-exp) = exp(%2 × %3 − %4)</source>
        <translation>Gewicht %1 = exp(Skala × q·k − Log-Sum-Exp) = exp(%2 × %3 − %4)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>weight %1 = exp(score − log-sum-exp) = exp(%2 − %3)</source>
        <translation>Gewicht %1 = exp(Score − Log-Sum-Exp) = exp(%2 − %3)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_text.cpp"/>
        <source>weight 0, masked: %1</source>
        <translation>Gewicht 0, maskiert: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_view.cpp"/>
        <source>After step %1 this sequence had no computed rows.</source>
        <translation>Nach Schritt %1 hatte diese Sequenz keine berechneten Zeilen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_view.cpp"/>
        <source>Attention weights appear here while a request is computed. Press Run.</source>
        <translation>Hier erscheinen Attention-Gewichte, während eine Anfrage berechnet wird. Drücke Start.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_view.cpp"/>
        <source>Heatmap › %1</source>
        <translation>Heatmap › %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_view.cpp"/>
        <source>The file has the layers %1 of %2: those that read the same tokens as layer %3.</source>
        <translation>Die Datei hat die Schichten %1 von %2: die, die dieselben Token lesen wie Schicht %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_view.h"/>
        <source>Attention heatmap</source>
        <translation>Attention-Heatmap</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>All cells</source>
        <translation>Alle Zellen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>At least %1</source>
        <translation>Mindestens %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>Head − another head</source>
        <translation>Kopf − ein anderer Kopf</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>Layer's mean − another layer's mean</source>
        <translation>Mittel der Schicht − Mittel einer anderen Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>Mean of the layer's heads</source>
        <translation>Mittel der Köpfe der Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>Mean over heads and layers</source>
        <translation>Mittel über Köpfe und Schichten</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>One head</source>
        <translation>Ein Kopf</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>Score before the softmax</source>
        <translation>Score vor der Softmax</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>Show exp(score − largest score of the row); the largest cell of a row is 1</source>
        <translation>exp(Score − größter Score der Zeile) zeigen; die größte Zelle einer Zeile ist 1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>Show the scores: scaled q·k, with soft cap, ALiBi or relative bias where there is one</source>
        <translation>Die Scores zeigen: skaliertes q·k, mit Soft Cap, ALiBi oder relativem Bias, wo es das gibt</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>Show the weight times |W_O v|: the length of the vector that the head adds for a key, before a norm or a scale that may follow</source>
        <translation>Das Gewicht mal |W_O v| zeigen: die Länge des Vektors, den der Kopf für einen Key hinzufügt, vor einer Norm oder Skalierung, die folgen kann</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>Show the weight times |v|, the length of the key's value vector</source>
        <translation>Das Gewicht mal |v| zeigen, der Länge des Value-Vektors des Keys</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>Show the weights: exp(score) divided by the sum of exp(score) over the row and, if there is one, its sink</source>
        <translation>Die Gewichte zeigen: exp(Score) geteilt durch die Summe von exp(Score) über die Zeile und, wenn es eine gibt, ihre Senke</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>The largest that make %1 % of each row</source>
        <translation>Die größten, die %1 % jeder Zeile ergeben</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>Weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>Written: weight × |W_O v|</source>
        <translation>Geschrieben: Gewicht × |W_O v|</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>Written: weight × |v|</source>
        <translation>Geschrieben: Gewicht × |v|</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>all cells, because a dot stands for several</source>
        <translation>alle Zellen, weil ein Punkt für mehrere steht</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>all cells; zoom in to keep %1 % of each row</source>
        <translation>alle Zellen; vergrößere, um %1 % jeder Zeile zu behalten</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>attention scores</source>
        <translation>Attention-Scores</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>attention weights</source>
        <translation>Attention-Gewichte</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>cells up to %1</source>
        <translation>Zellen bis %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>exp(score − max of the row)</source>
        <translation>exp(Score − max der Zeile)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>kept: cells of at least %1</source>
        <translation>behalten: Zellen von mindestens %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>kept: dots of at least %1</source>
        <translation>behalten: Punkte von mindestens %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>kept: the largest that make %1 % of each row</source>
        <translation>behalten: die größten, die %1 % jeder Zeile ergeben</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>mean of all %1 of %2</source>
        <translation>Mittel aller %1 von %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>mean of all heads</source>
        <translation>Mittel aller Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>mean of layer %1</source>
        <translation>Mittel der Schicht %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>mean of layer %1, %2</source>
        <translation>Mittel der Schicht %1, %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>mean of the %1 in the %2 of the encoder</source>
        <translation>Mittel der %1 in den %2 des Encoders</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>mean of the %1 in the %2 with cross attention</source>
        <translation>Mittel der %1 in den %2 mit Cross-Attention</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>mean of the %1 in the %2 with self attention</source>
        <translation>Mittel der %1 in den %2 mit Self-Attention</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>mean weight</source>
        <translation>mittleres Gewicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>mean(layer %1) − mean(layer %2)</source>
        <translation>Mittel(Schicht %1) − Mittel(Schicht %2)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>scores from %1 to %2</source>
        <translation>Scores von %1 bis %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>the largest cell of a row is 1</source>
        <translation>die größte Zelle einer Zeile ist 1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>the weights of each row sum to 1 within %1</source>
        <translation>die Gewichte jeder Zeile ergeben 1 bis auf %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>weight × |W_O v|</source>
        <translation>Gewicht × |W_O v|</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/heatmap_words.cpp"/>
        <source>weight(layer %1 head %2) − weight(layer %3 head %4)</source>
        <translation>Gewicht(Schicht %1 Kopf %2) − Gewicht(Schicht %3 Kopf %4)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>A bar is the sum of a column: how much the rows together read of a token. Token %1 gets %2 of %3, that is %4%.</source>
        <translation>Ein Balken ist die Summe einer Spalte: wie viel die Zeilen zusammen von einem Token lesen. Token %1 bekommt %2 von %3, das sind %4%.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>A row reads</source>
        <translation>Eine Zeile liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>Another head</source>
        <translation>Ein anderer Kopf</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>Hatched cells are masked. Row 0 sees %1 of the %2 tokens; the other %3 come later in the text.</source>
        <translation>Schraffierte Zellen sind maskiert. Zeile 0 sieht %1 der %2 Token; die anderen %3 kommen später im Text.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>In head %4 this row reads token %1 most: the weight is %2, or %3%. Point at a computed cell to see more about its number.</source>
        <translation>In Kopf %4 liest diese Zeile Token %1 am meisten: Das Gewicht ist %2, oder %3%. Zeige auf eine berechnete Zelle, um mehr über ihre Zahl zu sehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>Its largest weight</source>
        <translation>Ihr größtes Gewicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>One head of attention</source>
        <translation>Ein Kopf der Attention</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>The %1 rows are tokens that read, the %2 columns tokens that are read. The colour of a cell stands for a number: %3.</source>
        <translation>Die %1 Zeilen sind Token, die lesen, die %2 Spalten Token, die gelesen werden. Die Farbe einer Zelle steht für eine Zahl: %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>The model has %1 layers with %2 heads each. The keys . and , go to the next head and back; the boxes choose layer, head and request.</source>
        <translation>Das Modell hat %1 Schichten mit je %2 Köpfen. Die Tasten . und , gehen zum nächsten Kopf und zurück; die Felder wählen Schicht, Kopf und Anfrage.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>The scale shows which number a colour stands for: %1. The header offers other numbers.</source>
        <translation>Die Skala zeigt, für welche Zahl eine Farbe steht: %1. Die Kopfzeile bietet andere Zahlen an.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>The weights of a row should add up to 1; here they add up to %1 in head %2.</source>
        <translation>Die Gewichte einer Zeile sollten zusammen 1 ergeben; hier ergeben sie %1 in Kopf %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>The weights of the row add up to %1 in head %2; the sink takes the rest.</source>
        <translation>Die Gewichte der Zeile ergeben zusammen %1 in Kopf %2; den Rest nimmt die Senke.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>This is %1, for the request “%2”.</source>
        <translation>Das ist %1, für die Anfrage „%2“.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>This is head %1 of layer %2, for the request “%3”.</source>
        <translation>Das ist Kopf %1 von Schicht %2, für die Anfrage „%3“.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>This sequence is too long for a tour. Choose a shorter request in the header.</source>
        <translation>Diese Sequenz ist für eine Führung zu lang. Wähle in der Kopfzeile eine kürzere Anfrage.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>Token %1 has the last computed row here. This token sees %2 of the %3 tokens.</source>
        <translation>Token %1 hat hier die letzte berechnete Zeile. Dieses Token sieht %2 der %3 Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>What may not be read</source>
        <translation>Was nicht gelesen werden darf</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <location filename="../../gui/views/explore/lens/lens_tour.cpp"/>
        <source>What the colours say</source>
        <translation>Was die Farben sagen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/heatmap/tour/heatmap_tour.cpp"/>
        <source>Which tokens are read</source>
        <translation>Welche Token gelesen werden</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_chips.cpp"/>
        <source>Draw or hide the lines of head %1 (KV head %2)</source>
        <translation>Die Linien von Kopf %1 (KV-Kopf %2) zeichnen oder verbergen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_chips.cpp"/>
        <source>Head %1</source>
        <translation>Kopf %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_chips.cpp"/>
        <source>Heads that are drawn</source>
        <translation>Köpfe, die gezeichnet werden</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_canvas.cpp"/>
        <source>%1, head %2</source>
        <translation>%1, Kopf %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_canvas.cpp"/>
        <source>Lines from tokens to the tokens they read</source>
        <translation>Linien von Token zu den Token, die sie lesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_canvas.cpp"/>
        <source>Lines from tokens to the tokens they read appear here.</source>
        <translation>Hier erscheinen Linien von Token zu den Token, die sie lesen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_canvas.cpp"/>
        <source>No lines yet</source>
        <translation>Noch keine Linien</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_canvas.cpp"/>
        <location filename="../../gui/views/points/points_scene.cpp"/>
        <source>key %1 %2</source>
        <translation>Key %1 %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_canvas.cpp"/>
        <location filename="../../gui/views/points/points_scene.cpp"/>
        <source>query %1 %2</source>
        <translation>Query %1 %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_canvas.cpp"/>
        <source>weight, head %1</source>
        <translation>Gewicht, Kopf %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>decoder (query), reads →</source>
        <translation>Decoder (Query), liest →</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>earlier rows that read this key, added up over the heads: %1</source>
        <translation>frühere Zeilen, die diesen Key lesen, über die Köpfe addiert: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>earlier rows that read this key: %1</source>
        <translation>frühere Zeilen, die diesen Key lesen: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>earlier: %1</source>
        <translation>frühere: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>encoder (key), is read</source>
        <translation>Encoder (Key), wird gelesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>encoder (query), reads →</source>
        <translation>Encoder (Query), liest →</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>first token: %1% of the sum of the rows shown</source>
        <translation>erstes Token: %1% der Summe der gezeigten Zeilen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>first token: %1% of the sum of this query</source>
        <translation>erstes Token: %1% der Summe dieser Query</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>first token: %1% of the weights of the rows shown</source>
        <translation>erstes Token: %1% der Gewichte der gezeigten Zeilen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>first token: %1% of the weights of this query</source>
        <translation>erstes Token: %1% der Gewichte dieser Query</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>generated</source>
        <translation>erzeugt</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>h%1</source>
        <translation>K%1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>key, is read</source>
        <translation>Key, wird gelesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>later rows that read this key, added up over the heads: %1</source>
        <translation>spätere Zeilen, die diesen Key lesen, über die Köpfe addiert: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>later rows that read this key: %1</source>
        <translation>spätere Zeilen, die diesen Key lesen: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>later: %1</source>
        <translation>spätere: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>lines to earlier keys: %1, share %2</source>
        <translation>Linien zu früheren Keys: %1, Anteil %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>lines to keys out of sight end at the edge</source>
        <translation>Linien zu Keys, die nicht zu sehen sind, enden am Rand</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>lines to later keys: %1, share %2</source>
        <translation>Linien zu späteren Keys: %1, Anteil %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>query, reads →</source>
        <translation>Query, liest →</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>row sum %1</source>
        <translation>Zeilensumme %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>share above: %1</source>
        <translation>Anteil darüber: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_painter.cpp"/>
        <source>share below: %1</source>
        <translation>Anteil darunter: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>%1 below %2</source>
        <translation>%1 unter %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>%1 lines</source>
        <translation>%1 Linien</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>%1: layer %2, heads %3</source>
        <translation>%1: Schicht %2, Köpfe %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>, and the first token</source>
        <translation>, und das erste Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>1 line</source>
        <translation>1 Linie</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>; %1 rows are NaN</source>
        <translation>; %1 Zeilen sind NaN</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>; %1 rows are not computed or not read yet</source>
        <translation>; %1 Zeilen sind nicht berechnet oder noch nicht gelesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>; %1 rows have no query, so they are not computed</source>
        <translation>; %1 Zeilen haben keine Query und sind darum nicht berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>; 1 row has no query, so it is not computed</source>
        <translation>; 1 Zeile hat keine Query und ist darum nicht berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>; 1 row is NaN</source>
        <translation>; 1 Zeile ist NaN</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>; 1 row is not computed or not read yet</source>
        <translation>; 1 Zeile ist nicht berechnet oder noch nicht gelesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>; hidden: %1 of the sum of %2 (%3</source>
        <translation>; verborgen: %1 der Summe von %2 (%3</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>; hidden: %1 of the sum on this key in %2 (%3</source>
        <translation>; verborgen: %1 der Summe auf diesem Key in %2 (%3</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>; not drawn: %1 of the sum</source>
        <translation>; nicht gezeichnet: %1 der Summe</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>all but the largest that make %1% of each row</source>
        <translation>alle außer den größten, die %1% jeder Zeile ausmachen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>all but the largest weights that make %1% of each row</source>
        <translation>alle außer den größten Gewichten, die %1% jeder Zeile ergeben</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>key %1: </source>
        <translation>Key %1: </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>query %1: </source>
        <translation>Query %1: </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>the %1 strongest of %2 lines</source>
        <translation>die %1 stärksten von %2 Linien</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_scene.cpp"/>
        <source>weights below %1</source>
        <translation>Gewichte unter %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_tour.cpp"/>
        <source>%1 lines are drawn now. What the filter hides makes up %2% of the sum of the numbers.</source>
        <translation>Jetzt sind %1 Linien gezeichnet. Was der Filter verbirgt, macht %2% der Summe der Zahlen aus.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_tour.cpp"/>
        <source>A line has the colour of its head. Lines of %1 of the %2 heads of this layer are drawn; click a number to add or remove a head.</source>
        <translation>Eine Linie hat die Farbe ihres Kopfes. Linien von %1 der %2 Köpfe dieser Schicht sind gezeichnet; klicke eine Nummer an, um einen Kopf hinzuzufügen oder wegzunehmen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_tour.cpp"/>
        <source>A token that is read</source>
        <translation>Ein Token, das gelesen wird</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_tour.cpp"/>
        <source>A token that reads</source>
        <translation>Ein Token, das liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_tour.cpp"/>
        <source>Attention as lines</source>
        <translation>Attention als Linien</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_tour.cpp"/>
        <source>Not every line is drawn</source>
        <translation>Nicht jede Linie ist gezeichnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_tour.cpp"/>
        <source>On the left are the %1 tokens of “%2” that read, on the right the %3 tokens that are read. A stronger line has a larger number (%5). This is layer %4.</source>
        <translation>Links stehen die %1 Token von „%2“, die lesen, rechts die %3 Token, die gelesen werden. Eine kräftigere Linie hat eine größere Zahl (%5). Das ist Schicht %4.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_tour.cpp"/>
        <source>The boxes choose request, layer and head, and which lines are drawn. The lines to the first token can be hidden.</source>
        <translation>Die Felder wählen Anfrage, Schicht und Kopf, und welche Linien gezeichnet werden. Die Linien zum ersten Token lassen sich verbergen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_tour.cpp"/>
        <source>The numbers of the first token make up %1% of the sum of the rows shown.</source>
        <translation>Die Zahlen des ersten Tokens machen %1% der Summe der gezeigten Zeilen aus.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_tour.cpp"/>
        <source>The numbers of the first token make up %1% of the sum of this query.</source>
        <translation>Die Zahlen des ersten Tokens machen %1% der Summe dieser Query aus.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_tour.cpp"/>
        <source>The strongest line in sight begins here, at token %1. Point at a token to see only its lines.</source>
        <translation>Die stärkste sichtbare Linie beginnt hier, bei Token %1. Zeige auf ein Token, um nur seine Linien zu sehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_tour.cpp"/>
        <source>The strongest line in sight ends here: in head %1 token %3 reads token %2. The number of the line, %5, is %4.</source>
        <translation>Die stärkste sichtbare Linie endet hier: In Kopf %1 liest Token %3 Token %2. Die Zahl der Linie, %5, ist %4.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_tour.cpp"/>
        <source>What to leave out</source>
        <translation>Was man weglässt</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_tour.cpp"/>
        <source>Which heads</source>
        <translation>Welche Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>%1, layer %2, head %3, %4. </source>
        <translation>%1, Schicht %2, Kopf %3, %4. </translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>0 to 9, A</source>
        <translation>0 bis 9, A</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Add or remove the lines of a head (number); all heads, or only the shown one (A)</source>
        <translation>Die Linien eines Kopfes dazunehmen oder weglassen (Zahl); alle Köpfe, oder nur der gezeigte (A)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Attention head (Left and Right)</source>
        <translation>Attention-Kopf (Links und Rechts)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Attention layer ([ and ])</source>
        <translation>Attention-Schicht ([ und ])</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Double-click beside the tokens, F, Home</source>
        <translation>Doppelklick neben den Token, F, Pos1</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Draw the lines whose numbers reach a threshold, or of each row the largest ones that make up a share of the sum</source>
        <translation>Die Linien zeichnen, deren Zahlen eine Schwelle erreichen, oder von jeder Zeile die größten, die einen Anteil der Summe ausmachen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>First token</source>
        <translation>Erstes Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Go to the same position on the other side</source>
        <translation>Zur selben Position auf der anderen Seite gehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Left, Right, . and ,</source>
        <translation>Links, Rechts, . und ,</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Lines</source>
        <translation>Linien</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Lines to the first token</source>
        <translation>Linien zum ersten Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Lock and select the token (in cross attention only a query); again: unlock it</source>
        <translation>Das Token festhalten und auswählen (in Cross Attention nur eine Query); noch einmal: loslassen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Point at a token</source>
        <translation>Auf ein Token zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Point at a token on the left: its lines lead to tokens that it reads, stronger for larger numbers.</source>
        <translation>Zeig links auf ein Token: Seine Linien führen zu Token, die es liest, kräftiger für größere Zahlen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Previous and next head</source>
        <translation>Voriger und nächster Kopf</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Previous and next layer</source>
        <translation>Vorige und nächste Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Previous and next token</source>
        <translation>Voriges und nächstes Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Show only the lines of this token, with their numbers</source>
        <translation>Nur die Linien dieses Tokens zeigen, mit ihren Zahlen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Show or hide the lines to the first token</source>
        <translation>Die Linien zum ersten Token zeigen oder verbergen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Show or hide the lines to the first token (T)</source>
        <translation>Die Linien zum ersten Token zeigen oder verbergen (T)</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Show the lines from tokens to the tokens they read</source>
        <translation>Die Linien von Token zu den Token zeigen, die sie lesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Unlock the token</source>
        <translation>Das Token loslassen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/views/inspector/inspector_view.cpp"/>
        <source>Up, Down, Page up, Page down</source>
        <translation>Auf, Ab, Bild auf, Bild ab</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Wheel, middle drag</source>
        <translation>Rad, mit der mittleren Taste ziehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>Which lines</source>
        <translation>Welche Linien</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>[ and ]</source>
        <translation>[ und ]</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>share ≥</source>
        <translation>Anteil ≥</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>top share</source>
        <translation>größter Anteil</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.cpp"/>
        <source>weights ≥</source>
        <translation>Gewichte ≥</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/lines/head_lines_view.h"/>
        <source>Head lines</source>
        <translation>Linien der Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/attention/written/quantity_box.cpp"/>
        <source>Show the weights, weight × |v| with the length of the value v, or weight × |W_O v| with its length after the output matrix (%1)</source>
        <translation>Die Gewichte zeigen, Gewicht × |v| mit der Länge des Values v, oder Gewicht × |W_O v| mit seiner Länge nach der Ausgabematrix (%1)</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>%1 of the encoder</source>
        <translation>%1 des Encoders</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>%1, %2, logical block %3, %4 of %5 slots filled</source>
        <translation>%1, %2, logischer Block %3, %4 von %5 Slots gefüllt</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>%1, cached prefix</source>
        <translation>%1, gecachtes Präfix</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>%1, encoder</source>
        <translation>%1, Encoder</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>%1, free</source>
        <translation>%1, frei</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>%1, null block</source>
        <translation>%1, Nullblock</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>: cached; a prompt with the same beginning can use it until it is evicted</source>
        <translation>: gecacht; ein Prompt mit demselben Anfang kann ihn benutzen, bis er verworfen wird</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>: free</source>
        <translation>: frei</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>: the null block; block tables name it in place of blocks that left the sliding window</source>
        <translation>: der Nullblock; Blocktabellen nennen ihn anstelle von Blöcken, die das gleitende Fenster verlassen haben</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>A request that holds the block; several may share it.</source>
        <translation>Eine Anfrage, die den Block hält; mehrere können ihn teilen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>Age</source>
        <translation>Alter</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Block %1</source>
        <translation>Block %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>Hash state</source>
        <translation>Hash-Zustand</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Host block %1</source>
        <translation>Ausgelagerter Block %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>How many block tables name the block.</source>
        <translation>Wie viele Blocktabellen den Block nennen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>In this step</source>
        <translation>In diesem Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>Last read</source>
        <translation>Zuletzt gelesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>Last reader</source>
        <translation>Letzter Leser</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>Last written</source>
        <translation>Zuletzt geschrieben</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>Logical block</source>
        <translation>Logischer Block</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>Number of engine steps since attention last read the block.</source>
        <translation>Zahl der Engine-Schritte, seit Attention den Block zuletzt gelesen hat.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>Number of engine steps since the block was allocated.</source>
        <translation>Zahl der Engine-Schritte, seit der Block vergeben wurde.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>Owner</source>
        <translation>Besitzer</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>References</source>
        <translation>Verweise</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>Shared by</source>
        <translation>Geteilt von</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>Slots filled</source>
        <translation>Gefüllte Slots</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>Swapped out</source>
        <translation>Ausgelagert</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>Taken</source>
        <translation>Vergeben</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>The worker of the last recorded attention tile with keys of the block.</source>
        <translation>Der Worker der letzten aufgezeichneten Attention-Kachel mit Keys des Blocks.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>Whether all slots of the block are filled, and whether the prefix cache can find it.</source>
        <translation>Ob alle Slots des Blocks gefüllt sind, und ob der Präfix-Cache ihn finden kann.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>copied from %1</source>
        <translation>kopiert von %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>copied to %1</source>
        <translation>kopiert nach %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>full, found by its prefix</source>
        <translation>voll, am Präfix auffindbar</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>full, not found by its prefix</source>
        <translation>voll, nicht am Präfix auffindbar</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>moved here from %1</source>
        <translation>hierher verschoben von %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>moved to %1</source>
        <translation>verschoben nach %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/inspector/inspector_free_block.cpp"/>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>not full</source>
        <translation>nicht voll</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_facts.cpp"/>
        <source>worker %1, for %2, layer %3, %4</source>
        <translation>Worker %1, für %2, Schicht %3, %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_figures.cpp"/>
        <source>%1 of %2 blocks used, %3 of %4; waste %5 of %6 slots (%7%)</source>
        <translation>%1 von %2 Blöcken belegt, %3 von %4; verschwendet %5 von %6 Slots (%7%)</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_figures.cpp"/>
        <source>%1 of %2 used, waste %3%</source>
        <translation>%1 von %2 belegt, verschwendet %3%</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_figures.cpp"/>
        <source>, %1 saved</source>
        <translation>, %1 gespart</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_figures.cpp"/>
        <source>; head size %1 padded to %2: cache × %3</source>
        <translation>; Kopfgröße %1 auf %2 aufgefüllt: Cache × %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_figures.cpp"/>
        <source>; padded × %1</source>
        <translation>; aufgefüllt × %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_figures.cpp"/>
        <source>; sharing saves %1 blocks</source>
        <translation>; Teilen spart %1 Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_figures.cpp"/>
        <source>; sharing saves 1 block</source>
        <translation>; Teilen spart 1 Block</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_figures.cpp"/>
        <source>&lt;b&gt;External fragmentation&lt;/b&gt;: free memory that is too scattered to be used: 0, because any free block serves any request.</source>
        <translation>&lt;b&gt;Externe Fragmentierung&lt;/b&gt;: freier Speicher, der zu zerstreut ist, um benutzt zu werden: 0, weil jeder freie Block für jede Anfrage taugt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_figures.cpp"/>
        <source>&lt;b&gt;Host pool&lt;/b&gt;: blocks of host memory that hold the keys and values of swapped requests: %1 of %2.</source>
        <translation>&lt;b&gt;Auslagerungsspeicher&lt;/b&gt;: Blöcke im Hauptspeicher mit den Keys und Values ausgelagerter Anfragen: %1 von %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_figures.cpp"/>
        <source>&lt;b&gt;Null block&lt;/b&gt;: block 0 stands in tables for blocks that left the sliding window. No request holds it, and it does not count here.</source>
        <translation>&lt;b&gt;Nullblock&lt;/b&gt;: Block 0 steht in Tabellen für Blöcke, die das gleitende Fenster verlassen haben. Keine Anfrage hält ihn, und er zählt hier nicht mit.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_figures.cpp"/>
        <source>&lt;b&gt;Only cached&lt;/b&gt;: free blocks whose keys and values a later request with the same prefix can use: %1 (%2).</source>
        <translation>&lt;b&gt;Nur gecacht&lt;/b&gt;: freie Blöcke, deren Keys und Values eine spätere Anfrage mit demselben Präfix benutzen kann: %1 (%2).</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_figures.cpp"/>
        <source>&lt;b&gt;Saved by sharing&lt;/b&gt;: entries of the block tables minus the blocks that they name, without the null block: %1 - %2 = %3 blocks (%4).</source>
        <translation>&lt;b&gt;Durch Teilen gespart&lt;/b&gt;: Einträge der Blocktabellen minus die Blöcke, die sie nennen, ohne den Nullblock: %1 - %2 = %3 Blöcke (%4).</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_figures.cpp"/>
        <source>&lt;b&gt;Used&lt;/b&gt;: blocks that requests hold: %1 of %2; %3 are free. A block takes %4 in all layers together, the used blocks %5 of %6.</source>
        <translation>&lt;b&gt;Belegt&lt;/b&gt;: Blöcke, die Anfragen halten: %1 von %2; %3 sind frei. Ein Block braucht in allen Schichten zusammen %4, die belegten Blöcke %5 von %6.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_figures.cpp"/>
        <source>&lt;b&gt;Waste&lt;/b&gt; (internal fragmentation): empty slots in used blocks: %1 of %2 (%3%, %4).</source>
        <translation>&lt;b&gt;Verschwendung&lt;/b&gt; (interne Fragmentierung): leere Slots in belegten Blöcken: %1 von %2 (%3%, %4).</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/block_figures.cpp"/>
        <source>A cache without pages would reserve room for the longest sequence, %1 tokens, and for the tokens of an encoder. For the requests that hold blocks now (%2) that would be %3 blocks instead of %4.</source>
        <translation>Ein Cache ohne Seiten würde Platz für die längste Sequenz, %1 Token, und für die Token eines Encoders reservieren. Für die Anfragen, die jetzt Blöcke halten (%2), wären das %3 Blöcke statt %4.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_canvas.cpp"/>
        <source>Cache blocks</source>
        <translation>Blöcke des Caches</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_canvas.cpp"/>
        <location filename="../../gui/views/blocks/blocks_picture.cpp"/>
        <source>KV cache blocks</source>
        <translation>Blöcke des KV-Caches</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_canvas.cpp"/>
        <source>filled slots</source>
        <translation>gefüllte Slots</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_canvas_input.cpp"/>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>No cache yet</source>
        <translation>Noch kein Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_canvas_input.cpp"/>
        <source>The blocks of the KV cache appear here in a run that has one. Press Space to run.</source>
        <translation>Hier erscheinen die Blöcke des KV-Caches, wenn ein Lauf einen hat. Drücke die Leertaste zum Starten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_scene.cpp"/>
        <source>Device pool: %1 of %2 blocks used</source>
        <translation>Gerätespeicher: %1 von %2 Blöcken belegt</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_scene.cpp"/>
        <source>Device: %1 of %2</source>
        <translation>Gerät: %1 von %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_scene.cpp"/>
        <source>Host pool (swap): %1 of %2 blocks used</source>
        <translation>Auslagerungsspeicher: %1 von %2 Blöcken belegt</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_scene.cpp"/>
        <source>Host: %1 of %2</source>
        <translation>Ausgelagert: %1 von %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_scene.cpp"/>
        <source>finished, holds no block</source>
        <translation>fertig, hält keinen Block</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_scene.cpp"/>
        <location filename="../../gui/views/blocks/drawing/table_painter.cpp"/>
        <source>logical</source>
        <translation>logisch</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_scene.cpp"/>
        <source>preempted, holds no block</source>
        <translation>verdrängt, hält keinen Block</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_scene.cpp"/>
        <source>refused, it never held a block</source>
        <translation>abgelehnt, hielt nie einen Block</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_scene.cpp"/>
        <source>waiting, holds no block</source>
        <translation>wartend, hält keinen Block</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>%1 blocks are free. A request can take them when it needs room for more tokens.</source>
        <translation>%1 Blöcke sind frei. Eine Anfrage kann sie nehmen, wenn sie Platz für mehr Token braucht.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>A block table</source>
        <translation>Eine Blocktabelle</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>A free block</source>
        <translation>Ein freier Block</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>Colours show: %1. %2 Another meaning can be chosen in the header.</source>
        <translation>Die Farben zeigen: %1. %2 Eine andere Bedeutung lässt sich in der Kopfzeile wählen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>Empty slots</source>
        <translation>Leere Slots</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>Known beginnings</source>
        <translation>Bekannte Anfänge</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>One block</source>
        <translation>Ein Block</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>Requests that were swapped out keep their keys and values here, in the memory of the host: %1 of %2 blocks are in use.</source>
        <translation>Ausgelagerte Anfragen bewahren ihre Keys und Values hier auf, im Speicher des Hosts: %1 von %2 Blöcken sind belegt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>The cache as blocks</source>
        <translation>Der Cache als Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>The cache has %1 blocks of %2 slots; a slot is for the keys and values of one token. After step %3, %4 blocks are in use: %5% of those that requests can hold.</source>
        <translation>Der Cache hat %1 Blöcke mit je %2 Slots; ein Slot ist für die Keys und Values eines Tokens da. Nach Schritt %3 sind %4 Blöcke belegt: %5% von denen, die Anfragen halten können.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>The last block of a sequence may have empty slots. Of the %1 slots of the blocks in use %2 are empty, %3%.</source>
        <translation>Der letzte Block einer Sequenz kann leere Slots haben. Von den %1 Slots der belegten Blöcke sind %2 leer, %3%.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>The swap pool</source>
        <translation>Der Auslagerungsspeicher</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>The tree shows the beginnings of sequences that the cache knows. A prompt that begins in the same way can use the cached blocks again. Blocks that are kept only for that: %1. Blocks that sharing saves now: %2.</source>
        <translation>Der Baum zeigt die Anfänge von Sequenzen, die der Cache kennt. Ein Prompt, der ebenso beginnt, kann die gecachten Blöcke wieder benutzen. Blöcke, die nur dafür behalten werden: %1. Blöcke, die das Teilen jetzt spart: %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>There is no cache to show. Open a scenario that generates text, and press Space.</source>
        <translation>Es gibt keinen Cache zu zeigen. Öffne ein Szenario, das Text erzeugt, und drücke die Leertaste.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>This is block %1, the last of “%2”: %3 of its %4 slots are filled. The block was taken in step %5. Click the block to select it.</source>
        <translation>Das ist Block %1, der letzte von „%2“: %3 seiner %4 Slots sind gefüllt. Der Block wurde in Schritt %5 genommen. Klicke den Block an, um ihn auszuwählen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_tour.cpp"/>
        <source>“%1” holds %2. The number in cell j of its table is the physical block of its logical block j.</source>
        <translation>„%1“ hält %2. Die Zahl in Zelle j der Tabelle ist der physische Block des logischen Blocks j.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>A square is a block of the KV cache: see how requests take blocks, fill them and give them back.</source>
        <translation>Ein Quadrat ist ein Block des KV-Caches: Sieh zu, wie Anfragen Blöcke nehmen, füllen und zurückgeben.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Block tables: which physical blocks hold the logical blocks of a request</source>
        <translation>Blocktabellen: welche physischen Blöcke die logischen Blöcke einer Anfrage enthalten</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Cache use</source>
        <translation>Belegung des Caches</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Choose what the colours of the blocks mean</source>
        <translation>Wählen, was die Farben der Blöcke bedeuten</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Colour blocks by</source>
        <translation>Blöcke färben nach</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Ctrl+wheel, +, -</source>
        <translation>Strg+Rad, +, -</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Double-click, F</source>
        <translation>Doppelklick, F</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Enlarge the block; its tokens appear where they fit</source>
        <translation>Den Block vergrößern; seine Token erscheinen, wo sie passen</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Enter, click</source>
        <translation>Eingabe, Klick</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Grid</source>
        <translation>Raster</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Home</source>
        <translation>Pos1</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Move between blocks; in the prefix tree Left and Right follow an edge, Up and Down go to the next block of the same depth</source>
        <translation>Zwischen Blöcken bewegen; im Präfixbaum folgen Links und Rechts einer Kante, Oben und Unten gehen zum nächsten Block derselben Tiefe</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Pan grids and tree, scroll the tables</source>
        <translation>Raster und Baum verschieben, Tabellen rollen</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Physical blocks: the blocks of the cache, in the order in which they lie in memory</source>
        <translation>Physische Blöcke: die Blöcke des Caches, in der Reihenfolge, in der sie im Speicher liegen</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Prefix tree: the beginnings of sequences that the cache holds, and the requests that use them</source>
        <translation>Präfixbaum: die Anfänge von Sequenzen, die der Cache hält, und die Anfragen, die sie benutzen</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Prefix tree: this run has no prefix cache (enable_prefix_caching is off)</source>
        <translation>Präfixbaum: Dieser Lauf hat keinen Präfix-Cache (enable_prefix_caching ist aus)</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Prefixes</source>
        <translation>Präfixe</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Select the block</source>
        <translation>Den Block auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Show all blocks</source>
        <translation>Alle Blöcke zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Show all blocks (Home)</source>
        <translation>Alle Blöcke zeigen (Pos1)</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Show the block tables</source>
        <translation>Die Blocktabellen zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Show the physical grid</source>
        <translation>Das physische Raster zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Show the prefix tree</source>
        <translation>Den Präfixbaum zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Tables</source>
        <translation>Tabellen</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Wheel, Shift+wheel, middle-drag</source>
        <translation>Rad, Umschalt+Rad, mit der mittleren Taste ziehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/blocks_view.cpp"/>
        <source>Zoom at the pointer (wheel), at the block of the cursor or in the middle (keys)</source>
        <translation>Vergrößern und verkleinern: am Zeiger (Rad), am Block des Cursors oder in der Mitte (Tasten)</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/block_legend.cpp"/>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <location filename="../../gui/views/metrics/metrics_board.cpp"/>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/block_legend.cpp"/>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <location filename="../../gui/views/metrics/metrics_board.cpp"/>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>1 step</source>
        <translation>1 Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/block_legend.cpp"/>
        <location filename="../../gui/widgets/request/interventions_line.cpp"/>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/block_legend.cpp"/>
        <source>cached prefix</source>
        <translation>gecachtes Präfix</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/block_legend.cpp"/>
        <source>copied: %1</source>
        <translation>kopiert: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/block_legend.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>free</source>
        <translation>frei</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/block_legend.cpp"/>
        <source>never read</source>
        <translation>nie gelesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/block_legend.cpp"/>
        <source>not read yet</source>
        <translation>noch nicht gelesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/block_legend.cpp"/>
        <source>read</source>
        <translation>gelesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/block_legend.cpp"/>
        <source>swapped in: %1</source>
        <translation>zurückgeholt: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/block_legend.cpp"/>
        <source>swapped out: %1</source>
        <translation>ausgelagert: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/block_legend.cpp"/>
        <source>taken in this step</source>
        <translation>in diesem Schritt vergeben</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/prefix_painter.cpp"/>
        <source>Evicted block</source>
        <translation>Verworfener Block</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/prefix_painter.cpp"/>
        <source>The prefix cache is empty. A block enters the cache once it is full and computed.</source>
        <translation>Der Präfix-Cache ist leer. Ein Block kommt in den Cache, sobald er voll und berechnet ist.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/prefix_painter.cpp"/>
        <source>This block was evicted; the cached blocks that follow can be used again once this one has been computed again.</source>
        <translation>Dieser Block wurde verworfen; die gecachten Blöcke, die folgen, können wieder benutzt werden, wenn dieser neu berechnet ist.</translation>
    </message>
    <message>
        <location filename="../../gui/views/blocks/drawing/table_painter.cpp"/>
        <source>, tokens %1 to %2</source>
        <translation>, Token %1 bis %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_canvas.cpp"/>
        <source>Eigenvalues, pairs of tokens and earlier heads of a head</source>
        <translation>Eigenwerte, Tokenpaare und frühere Köpfe eines Kopfes</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_canvas.cpp"/>
        <source>key %1, query %2: %3</source>
        <translation>Key %1, Query %2: %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_canvas.cpp"/>
        <source>reading %1 makes %2 likelier: %3</source>
        <translation>wer %1 liest, macht %2 wahrscheinlicher: %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_canvas.cpp"/>
        <location filename="../../gui/views/circuits/circuits_painter.cpp"/>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>through keys</source>
        <translation>über Keys</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_canvas.cpp"/>
        <location filename="../../gui/views/circuits/circuits_painter.cpp"/>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>through queries</source>
        <translation>über Queries</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_canvas.cpp"/>
        <location filename="../../gui/views/circuits/circuits_painter.cpp"/>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>through values</source>
        <translation>über Values</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_painter.cpp"/>
        <source>%1: not defined, because QK is not defined</source>
        <translation>%1: nicht definiert, weil QK nicht definiert ist</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_painter.cpp"/>
        <source>Composition: there are no earlier heads that this one could read.</source>
        <translation>Komposition: Es gibt keine früheren Köpfe, die dieser lesen könnte.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_painter.cpp"/>
        <source>Composition: what earlier heads (rows: layers) write and this one reads, beyond chance; blue −%1, orange +%1</source>
        <translation>Komposition: was frühere Köpfe (Zeilen: Schichten) schreiben und dieser liest, mehr als zufällig; blau −%1, orange +%1</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_painter.cpp"/>
        <source>OV: what the head does with a token that it reads</source>
        <translation>OV: was der Kopf mit einem Token tut, das er liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_painter.cpp"/>
        <source>QK: what the head reads</source>
        <translation>QK: was der Kopf liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_painter.cpp"/>
        <source>QK: what the head reads, query %1 after the key</source>
        <translation>QK: was der Kopf liest, Query %1 nach dem Key</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_painter.cpp"/>
        <source>key → query that looks at it</source>
        <translation>Key → Query, die ihn ansieht</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_painter.cpp"/>
        <source>read → made likelier</source>
        <translation>gelesen → wird wahrscheinlicher</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_painter.cpp"/>
        <source>real part →</source>
        <translation>Realteil →</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_painter.cpp"/>
        <source>↑ imaginary part</source>
        <translation>↑ Imaginärteil</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>%1, layer %2, head %3: what its weights do with any text</source>
        <translation>%1, Schicht %2, Kopf %3: was seine Gewichte mit jedem Text tun</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>B = W_O W_V of the earlier head; A of the later head: W_Q' W_K for keys and, transposed, for queries, W_O W_V for values</source>
        <translation>B = W_O W_V des früheren Kopfs; A des späteren: W_Q' W_K für Keys und, transponiert, für Queries, W_O W_V für Values</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>Composition: layer %1, head %2 reads layer %3, head %4</source>
        <translation>Komposition: Schicht %1, Kopf %2 liest Schicht %3, Kopf %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>Computed in %1.</source>
        <translation>Berechnet in %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>Copying score %1: sum of the eigenvalues of OV / sum of their magnitudes. 1: what is read becomes likelier; −1: less likely. %2</source>
        <translation>Kopier-Score %1: Summe der Eigenwerte von OV / Summe ihrer Beträge. 1: was gelesen wird, wird wahrscheinlicher; −1: unwahrscheinlicher. %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>From the weights alone, with the Frobenius norm; at random: the mean of %1 pairs of random matrices.</source>
        <translation>Allein aus den Gewichten, mit der Frobenius-Norm; zufällig: das Mittel von %1 Paaren zufälliger Matrizen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>How much the later head reads of what the earlier one writes, minus the same for random matrices of these shapes.</source>
        <translation>Wie viel der spätere Kopf von dem liest, was der frühere schreibt, minus dasselbe für zufällige Matrizen dieser Formen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>OV ends before the soft cap of the logits.</source>
        <translation>OV endet vor dem Soft Cap der Logits.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>Score of QK %1, computed like that of OV. 1: a query looks for tokens like its own. %2</source>
        <translation>Score von QK %1, berechnet wie der von OV. 1: eine Query sucht Token wie ihr eigenes. %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>The eigenvalues add up to %1, the diagonal of the whole matrix to %2: residue %3.</source>
        <translation>Die Eigenwerte ergeben zusammen %1, die Diagonale der ganzen Matrix %2: Rest %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>The matrices include the gains of the norms, but not the mean that a norm may subtract nor what it divides by.</source>
        <translation>Die Matrizen enthalten die Faktoren der Normen, aber weder den Mittelwert, den eine Norm vielleicht abzieht, noch das, wodurch sie teilt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>This layer has no rotary positions.</source>
        <translation>Diese Schicht hat keine Rotary-Positionen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>eigenvalue %1 %2 %3 i, magnitude %4</source>
        <translation>Eigenwert %1 %2 %3 i, Betrag %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>the shown head reads layer %1, head %2</source>
        <translation>der gezeigte Kopf liest Schicht %1, Kopf %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>through queries %1, through keys %2</source>
        <translation>über Queries %1, über Keys %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>through values %1 more than at random</source>
        <translation>über Values %1 mehr als bei Zufall</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_scene.cpp"/>
        <source>|A B| ÷ (|A| |B|) − the same at random</source>
        <translation>|A B| ÷ (|A| |B|) − dasselbe zufällig</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <source> The query stands %1 after the key.</source>
        <translation> Die Query steht %1 nach dem Key.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <source>%1 Open a scenario with a trained model, such as “First look”.</source>
        <translation>%1 Öffne ein Szenario mit einem trainierten Modell, zum Beispiel „Erster Blick“.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <source>Checked</source>
        <translation>Geprüft</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <source>Does it copy?</source>
        <translation>Kopiert er?</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <source>The circuits are being computed. The tour begins when they are there.</source>
        <translation>Die Schaltkreise werden berechnet. Die Führung beginnt, wenn sie da sind.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <source>The eigenvalues are checked by an identity: those of OV add up to %1, and the trace of the matrix is %2.</source>
        <translation>Die Eigenwerte sind durch eine Gleichung geprüft: Die von OV ergeben zusammen %1, und die Spur der Matrix ist %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <source>The grids have the %1 heads of earlier layers. Through its values this head reads most from head %2 in layer %3: %4 more than by chance.</source>
        <translation>Die Gitter haben die %1 Köpfe früherer Schichten. Durch seine Values liest dieser Kopf am meisten von Kopf %2 in Schicht %3: %4 mehr als durch Zufall.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <source>The points are the %1 eigenvalues of OV. To the right of the middle a head makes likelier what it reads, to the left less likely. The score of OV is %2; a score lies between -1 and 1.</source>
        <translation>Die Punkte sind die %1 Eigenwerte von OV. Rechts der Mitte macht ein Kopf wahrscheinlicher, was er liest, links unwahrscheinlicher. Der Score von OV ist %2; ein Score liegt zwischen -1 und 1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <source>The strongest pair of OV: when the head reads %1, it makes %2 likelier. The number %3 is what it adds to the logit, if no norm scales the stream.</source>
        <translation>Das stärkste Paar von OV: Wenn der Kopf %1 liest, macht er %2 wahrscheinlicher. Die Zahl %3 ist das, was er zum Logit addiert, wenn keine Norm den Strom skaliert.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <source>The strongest pair of QK: a query of %1 looks most for a key of %2.%3</source>
        <translation>Das stärkste Paar von QK: Eine Query von %1 sucht am stärksten einen Key von %2.%3</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <source>This picture shows head %1 in layer %2 of %3, computed from weights of the model alone. OV says what the head writes for what it reads, QK which tokens look at which.</source>
        <translation>Dieses Bild zeigt Kopf %1 in Schicht %2 von %3, allein aus Gewichten des Modells berechnet. OV sagt, was der Kopf für das schreibt, was er liest, QK, welche Token welche ansehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <source>What a head does with any text</source>
        <translation>Was ein Kopf mit jedem Text tut</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <source>What it looks for</source>
        <translation>Wonach er sucht</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <source>What it writes</source>
        <translation>Was er schreibt</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_tour.cpp"/>
        <source>Which heads it reads</source>
        <translation>Welche Köpfe er liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>A saved run has no weights at first. If it is of a model, press Look inside in a view such as Logit lens, or run the scenario again.</source>
        <translation>Ein gespeicherter Lauf hat zuerst keine Modellgewichte. Ist er von einem Modell, drücke Hineinsehen in einer Ansicht wie der Logit-Linse, oder starte das Szenario noch einmal.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>Circuits</source>
        <translation>Schaltkreise</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>Circuits are computed from the weights of a model; this run has none.</source>
        <translation>Schaltkreise werden aus den Gewichten eines Modells berechnet; dieser Lauf hat keine.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>Circuits need a model of one stack of layers; this one has an encoder and a decoder.</source>
        <translation>Schaltkreise brauchen ein Modell aus einem Stapel von Schichten; dieses hat einen Encoder und einen Decoder.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>Click an earlier head, Enter</source>
        <translation>Einen früheren Kopf anklicken, Eingabe</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>Computing the circuits of layer %1, head %2</source>
        <translation>Die Schaltkreise von Schicht %1, Kopf %2 werden berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>Distance from the query back to the key, in tokens</source>
        <translation>Abstand von der Query zurück zum Key, in Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>Go through the earlier heads</source>
        <translation>Durch die früheren Köpfe gehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>How many tokens the query stands after the key in QK, for rotary positions ([ and ])</source>
        <translation>Wie viele Token die Query in QK nach dem Key steht, für Rotary-Positionen ([ und ])</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>In QK, move the key one token nearer to the query, or farther away</source>
        <translation>In QK den Key um ein Token näher an die Query rücken oder weiter weg</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Left, Right, Up, Down</source>
        <translation>Links, Rechts, Auf, Ab</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>No circuits</source>
        <translation>Keine Schaltkreise</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>No run has begun. Circuits need a model of one stack of layers.</source>
        <translation>Kein Lauf hat begonnen. Schaltkreise brauchen ein Modell aus einem Stapel von Schichten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>OV eigenvalues at the right: the head makes likelier what it reads; at the left: less likely.</source>
        <translation>OV-Eigenwerte rechts: der Kopf macht wahrscheinlicher, was er liest; links: unwahrscheinlicher.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>Pairs of %1 tokens are compared, and %2 heads of earlier layers.</source>
        <translation>Paare aus %1 Token werden verglichen, und %2 Köpfe früherer Schichten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>Point at an eigenvalue, a pair, a head</source>
        <translation>Auf einen Eigenwert, ein Paar, einen Kopf zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>Remove the cursor from the earlier heads</source>
        <translation>Den Cursor von den früheren Köpfen wegnehmen</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>Show all eigenvalues</source>
        <translation>Alle Eigenwerte zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>Show this head</source>
        <translation>Diesen Kopf zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>Show what the weights of the shown head do with any text</source>
        <translation>Zeigen, was die Gewichte des gezeigten Kopfes mit jedem Text tun</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>The circuits are being computed</source>
        <translation>Die Schaltkreise werden berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>There are no circuits to show.</source>
        <translation>Es gibt keine Schaltkreise zu zeigen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>Tooltip: its numbers</source>
        <translation>Tooltip: seine Zahlen</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>Zoom into the planes</source>
        <translation>In die Ebenen zoomen</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>[ and ], wheel</source>
        <translation>[ und ], Rad</translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.cpp"/>
        <source>distance </source>
        <translation>Abstand </translation>
    </message>
    <message>
        <location filename="../../gui/views/circuits/circuits_view.h"/>
        <source>Circuits of a head</source>
        <translation>Schaltkreise eines Kopfes</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_canvas.cpp"/>
        <source>Comparison with and without a cache</source>
        <translation>Vergleich mit und ohne Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source> (modelled)</source>
        <translation> (modelliert)</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>%1 times that with a cache</source>
        <translation>das %1-Fache des Werts mit Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>All pairs that the tiles of the kernels cover, also those that the mask hides.</source>
        <translation>Alle Paare, die die Kacheln der Kernel bedecken, auch die, die die Maske verbirgt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>Each run sampled its own tokens.</source>
        <translation>Jeder Lauf hat seine eigenen Token gezogen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>How many visible pairs of a query and a key the kernels computed in all steps, summed over all layers and heads.</source>
        <translation>Wie viele sichtbare Paare aus Query und Key die Kernel in allen Schritten berechnet haben, summiert über alle Schichten und Köpfe.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>Keys and values, most</source>
        <translation>Keys und Values, höchstens</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>Logits: largest difference</source>
        <translation>Logits: größter Unterschied</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>Query-key pairs, all layers and heads</source>
        <translation>Query-Key-Paare, alle Schichten und Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>Query-key pairs, mean of layers and heads</source>
        <translation>Query-Key-Paare, Mittel der Schichten und Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>Query-key pairs, one layer and head</source>
        <translation>Query-Key-Paare, eine Schicht und ein Kopf</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>Rows that went through all layers of the model, in all steps.</source>
        <translation>Zeilen, die durch alle Schichten des Modells gingen, in allen Schritten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>The largest |logit with a cache − logit without| of the rows that tokens were sampled from, as long as the tokens before them are the same.</source>
        <translation>Der größte Wert von |Logit mit Cache − Logit ohne| der Zeilen, aus denen Token gezogen wurden, solange die Token davor gleich sind.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>The time of all steps divided by their number.</source>
        <translation>Die Zeit aller Schritte geteilt durch ihre Zahl.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>Time from the beginning of a step to its end, summed, on the clock of the comparison.</source>
        <translation>Zeit vom Beginn eines Schritts bis zu seinem Ende, summiert, auf der Uhr des Vergleichs.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>Time of a step, mean</source>
        <translation>Zeit eines Schritts, Mittel</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>Time of all attention calls together.</source>
        <translation>Zeit aller Attention-Aufrufe zusammen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>Time of all steps</source>
        <translation>Zeit aller Schritte</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>Tokens through the model</source>
        <translation>Token durch das Modell</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>Visible pairs of a query and a key that the kernels computed in all steps, for one head or the mean of all heads.</source>
        <translation>Sichtbare Paare aus Query und Key, die die Kernel in allen Schritten berechnet haben, für einen Kopf oder als Mittel aller Köpfe.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>With a cache</source>
        <translation>Mit Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>With a cache: memory of the blocks in use, in all layers, in the step that uses most. Without: keys and values of the largest step in one layer.</source>
        <translation>Mit Cache: Speicher der belegten Blöcke, in allen Schichten, im Schritt mit den meisten. Ohne: Keys und Values des größten Schritts in einer Schicht.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>Without a cache</source>
        <translation>Ohne Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>answer token %1 of %2; the largest |logit| is %3</source>
        <translation>Antwort-Token %1 von %2; der größte |Logit| ist %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>attention in them</source>
        <translation>Attention darin</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>differs from answer token %1 of %2 on</source>
        <translation>weicht ab Antwort-Token %1 von %2 ab</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>the largest |logit| is %1</source>
        <translation>der größte |Logit| ist %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>the same tokens</source>
        <translation>dieselben Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_model.cpp"/>
        <source>with masked pairs in tiles</source>
        <translation>mit maskierten Paaren in Kacheln</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <source> of layer %1</source>
        <translation> von Schicht %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>%1: %2, %3, %4, %5, %6; cache %7 in blocks of %8.</source>
        <translation>%1: %2, %3, %4, %5, %6; Cache %7 in Blöcken zu %8.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <source>; mean of layers and heads</source>
        <translation>; Mittel der Schichten und Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <source>Query-key pairs of step %1, one head%2</source>
        <translation>Query-Key-Paare von Schritt %1, ein Kopf%2</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <source>Rows computed in each step: %1</source>
        <translation>In jedem Schritt berechnete Zeilen: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <source>Step %1: with a cache %2 and %3 pairs per head, without %4 and %5 pairs</source>
        <translation>Schritt %1: mit Cache %2 und %3 Paare pro Kopf, ohne %4 und %5 Paare</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Times were measured once and can differ much in another run.</source>
        <translation>Die Zeiten wurden einmal gemessen und können in einem anderen Lauf stark abweichen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <source>Without a cache every step computes all positions of its sequences. Source, seed and sampling are the same.</source>
        <translation>Ohne Cache berechnet jeder Schritt alle Positionen seiner Sequenzen. Quelle, Seed und Ziehen sind gleich.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <source>computed in both runs</source>
        <translation>in beiden Läufen berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <source>computed only without a cache: saved</source>
        <translation>nur ohne Cache berechnet: gespart</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>key (is read)</source>
        <translation>Key (wird gelesen)</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <source>query row</source>
        <translation>Query-Zeile</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>query row (reads)</source>
        <translation>Query-Zeile (liest)</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <source>saved: %1 of %2 (%3%)</source>
        <translation>gespart: %1 von %2 (%3%)</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <source>with a cache %1 pairs, without %2; %3</source>
        <translation>mit Cache %1 Paare, ohne %2; %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_cache_painter.cpp"/>
        <source>with a cache %1 rows, without %2; %3</source>
        <translation>mit Cache %1 Zeilen, ohne %2; %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_canvas.cpp"/>
        <source>Comparison of backends</source>
        <translation>Vergleich von Backends</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_job.h"/>
        <source>The comparison was cancelled.</source>
        <translation>Der Vergleich wurde abgebrochen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>%1 (%2 pages)</source>
        <translation>%1 (%2 Seiten)</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>%1 (modelled)</source>
        <translation>%1 (modelliert)</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>%1 calls</source>
        <translation>%1 Aufrufe</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>%1 × needed</source>
        <translation>%1 × nötig</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <location filename="../../gui/views/metrics/metrics_charts.cpp"/>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>%1, key %2</source>
        <translation>%1, Key %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>%1, layer %2, head %3, row %4</source>
        <translation>%1, Schicht %2, Kopf %3, Zeile %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>, with an arrow where it goes on beyond the bars</source>
        <translation>, mit einem Pfeil, wo er über die Balken hinausgeht</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>1 call</source>
        <translation>1 Aufruf</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Aligned memory that the backend keeps between calls, without the KV cache.</source>
        <translation>Ausgerichteter Speicher, den das Backend zwischen Aufrufen behält, ohne den KV-Cache.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Attention time</source>
        <translation>Zeit für Attention</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Calls for one part of a batch that the backend split into several calls.</source>
        <translation>Aufrufe für einen Teil eines Batches, den das Backend in mehrere Aufrufe geteilt hat.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>How many outputs differ from the baseline in at least one bit.</source>
        <translation>Wie viele Ausgaben in mindestens einem Bit von der Vergleichsbasis abweichen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>How often a kernel copied pages into its own buffer, and how many pages.</source>
        <translation>Wie oft ein Kernel Seiten in seinen eigenen Puffer kopiert hat, und wie viele Seiten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Last digits can differ because backends add in other orders or precisions, and sums are rounded. Larger differences have other causes, such as %1.</source>
        <translation>Die letzten Stellen können abweichen, weil Backends in anderer Reihenfolge oder Genauigkeit addieren und Summen gerundet werden. Größere Unterschiede haben andere Ursachen, zum Beispiel %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Log-sum-exp: largest difference</source>
        <translation>Log-Sum-Exp: größter Unterschied</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Memory of this backend's KV cache, in its own layout, in all layers.</source>
        <translation>Speicher des KV-Caches dieses Backends, in seiner eigenen Anordnung, in allen Schichten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Modelled time of all attention calls on this device in bf16, from published figures; it is not measured.</source>
        <translation>Modellierte Zeit aller Attention-Aufrufe auf diesem Gerät in bf16, aus veröffentlichten Zahlen; sie ist nicht gemessen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Number of query-key pairs that the tiles of this backend cover, divided by the number of visible pairs.</source>
        <translation>Zahl der Query-Key-Paare, die die Kacheln dieses Backends bedecken, geteilt durch die Zahl der sichtbaren Paare.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Number of tiles that the attention kernels of this backend computed in all calls.</source>
        <translation>Zahl der Kacheln, die die Attention-Kernel dieses Backends in allen Aufrufen berechnet haben.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Output: largest difference</source>
        <translation>Ausgabe: größter Unterschied</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Output: relative</source>
        <translation>Ausgabe: relativ</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Outputs that differ from the baseline by more than %1 + %2 × |value of the baseline|.</source>
        <translation>Ausgaben, die um mehr als %1 + %2 × |Wert der Basis| von der Basis abweichen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Outputs with other bits</source>
        <translation>Ausgaben mit anderen Bits</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Outside the tolerance</source>
        <translation>Außerhalb der Toleranz</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Padding rows</source>
        <translation>Padding-Zeilen</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Page fetches</source>
        <translation>Geholte Seiten</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Pairs visited</source>
        <translation>Besuchte Paare</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Partial calls</source>
        <translation>Teilaufrufe</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Query rows that were computed past the end of a sequence, counted in one layer and one head.</source>
        <translation>Query-Zeilen, die nach dem Ende einer Sequenz berechnet wurden, gezählt in einer Schicht und einem Kopf.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>The largest of all outputs' |difference| ÷ (largest |value| of the same row in the baseline), and its place.</source>
        <translation>Das größte |Unterschied| ÷ (größter |Wert| derselben Zeile in der Basis) aller Ausgaben, und seine Stelle.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>The largest |value − value of the baseline| of all outputs, and its place. %1</source>
        <translation>Der größte Wert von |Wert − Wert der Basis| aller Ausgaben, und sein Ort. %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>The largest |weight − weight of the baseline| of all requests, layers and heads, and its place. The weights are recomputed from the queries, and from the keys and log-sum-exps of each backend. They are not compared if this takes more than %1 multiplications, or if no request is small enough for maps.</source>
        <translation>Der größte Wert von |Gewicht − Gewicht der Vergleichsbasis| aller Anfragen, Schichten und Köpfe, und sein Ort. Die Gewichte werden aus den Queries und aus den Keys und Log-Sum-Exps jedes Backends neu berechnet. Sie werden nicht verglichen, wenn das mehr als %1 Multiplikationen braucht oder wenn keine Anfrage klein genug für Karten ist.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>The log-sum-exp of a row is ln Σ exp(score); a sink adds exp(sink) to the sum.</source>
        <translation>Der Log-Sum-Exp einer Zeile ist ln Σ exp(Score); eine Senke addiert exp(Senke) zur Summe.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.h"/>
        <source>Tiles</source>
        <translation>Kacheln</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Time of all attention calls of this backend together, on the clock of the comparison. %1</source>
        <translation>Zeit aller Attention-Aufrufe dieses Backends zusammen, auf der Uhr des Vergleichs. %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Time of all calls of this kernel together%1, and their number.</source>
        <translation>Zeit aller Aufrufe dieses Kernels zusammen%1 und ihre Anzahl.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Times are medians of %1 measured runs; the line through the end of a bar goes from the least to the most%2.</source>
        <translation>Die Zeiten sind Mediane aus %1 gemessenen Läufen; der Strich durch das Ende eines Balkens geht von der kleinsten bis zur größten%2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Times are modelled, not measured.</source>
        <translation>Die Zeiten sind modelliert, nicht gemessen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Weights: largest difference</source>
        <translation>Gewichte: größter Unterschied</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>What is left of the attention time without its kernels, such as the time to prepare a call, its masks and tables.</source>
        <translation>Was von der Zeit für Attention ohne ihre Kernels bleibt, etwa die Zeit für die Vorbereitung eines Aufrufs, seine Masken und Tabellen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>Workspace</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>a narrower type</source>
        <translation>ein schmalerer Typ</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>agrees</source>
        <translation>stimmt überein</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>an option that a backend ignores</source>
        <translation>eine Option, die ein Backend nicht beachtet</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>baseline</source>
        <translation>Basis</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>cannot run</source>
        <translation>läuft nicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>differs</source>
        <translation>weicht ab</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>not compared</source>
        <translation>nicht verglichen</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>outside kernels</source>
        <translation>außerhalb der Kernels</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_model.cpp"/>
        <source>weights rounded to bf16 (UNIFIED fast)</source>
        <translation>auf bf16 gerundete Gewichte (UNIFIED fast)</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>%1: masked</source>
        <translation>%1: maskiert</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>; each pixel the largest of its cells</source>
        <translation>; jeder Bildpunkt die größte seiner Zellen</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>Cannot go on from step %1:</source>
        <translation>Kann ab Schritt %1 nicht weiter:</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>Cannot run this:</source>
        <translation>Kann das nicht ausführen:</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>None of these backends can run it.</source>
        <translation>Keines dieser Backends kann es ausführen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>Only %1 ran, so nothing is compared.</source>
        <translation>Nur %1 lief, deshalb wird nichts verglichen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>The backends that ran got the same queries, keys and values, and are compared with %1.</source>
        <translation>Die Backends, die liefen, bekamen dieselben Queries, Keys und Values und werden mit %1 verglichen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>encoder's key (is read)</source>
        <translation>Key des Encoders (wird gelesen)</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>largest</source>
        <translation>größter</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>largest %1 at row %2, %3 %4%5</source>
        <translation>größter %1 in Zeile %2, %3 %4%5</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>largest / 4</source>
        <translation>größte / 4</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>largest |output − output of %1| in the row of a head</source>
        <translation>größter Wert von |Ausgabe − Ausgabe von %1| in der Zeile eines Kopfes</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>largest: each picture has its own, see its caption</source>
        <translation>größter: Jedes Bild hat seinen eigenen, siehe seine Beschriftung</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <location filename="../../gui/views/timeline/search/timeline_search.cpp"/>
        <source>layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>masked</source>
        <translation>maskiert</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>no difference</source>
        <translation>kein Unterschied</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>row %1, head %2</source>
        <translation>Zeile %1, Kopf %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>row %1, key %2</source>
        <translation>Zeile %1, Key %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>square root scale</source>
        <translation>Wurzelskala</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_painter.cpp"/>
        <source>weight − weight of %1</source>
        <translation>Gewicht − Gewicht von %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>%1 took %2 for %3 attention calls. %4</source>
        <translation>%1 brauchte %2 für %3 Attention-Aufrufe. %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>A cell is a query and a key of the chosen step. Cells in the strong colour were computed in both runs in this step, pale ones only without the cache.</source>
        <translation>Eine Zelle ist eine Query und ein Key des gewählten Schritts. Zellen in der kräftigen Farbe berechnete dieser Schritt in beiden Läufen, blasse nur ohne den Cache.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>A column is a backend, or a backend with one value of an option: %1. The backends that ran got the same queries, keys and values in %2 steps with %3 tokens.</source>
        <translation>Eine Spalte ist ein Backend, oder ein Backend mit einem Wert einer Option: %1. Die Backends, die liefen, bekamen in %2 Schritten mit %3 Token dieselben Queries, Keys und Values.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>A column shows which rows of one request a step computed. The step computed the pale part only without the cache.</source>
        <translation>Eine Spalte zeigt, welche Zeilen einer Anfrage ein Schritt berechnete. Den blassen Teil berechnete der Schritt nur ohne den Cache.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>Backends cut the work into tiles of their own sizes: %1 needed %2.</source>
        <translation>Backends schneiden die Arbeit in Kacheln eigener Größe: %1 brauchte %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>Choose what is compared: backends, or the run with and without a cache. The run in the other views stays as it is.</source>
        <translation>Wähle, was verglichen wird: Backends, oder der Lauf mit und ohne Cache. Der Lauf in den anderen Ansichten bleibt, wie er ist.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>How far apart</source>
        <translation>Wie weit auseinander</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>How it was cut</source>
        <translation>Wie geschnitten wurde</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>How long it took</source>
        <translation>Wie lange es dauerte</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>Near enough?</source>
        <translation>Nah genug?</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>Nothing has been compared yet. Press Compare in the header to run the scenario again, by several backends or with and without a cache.</source>
        <translation>Noch ist nichts verglichen. Drücke „Vergleich“ in der Kopfzeile, um das Szenario noch einmal laufen zu lassen, durch mehrere Backends oder mit und ohne Cache.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>Number of outputs of %2 outside the tolerance: %1. 0 means that the results agree with the baseline within the tolerance.</source>
        <translation>Zahl der Ausgaben von %2 außerhalb der Toleranz: %1. 0 heißt, dass die Ergebnisse innerhalb der Toleranz mit der Basis übereinstimmen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>Step by step</source>
        <translation>Schritt für Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>The comparison is being computed. The tour begins when it is done.</source>
        <translation>Der Vergleich wird berechnet. Die Führung beginnt, wenn er fertig ist.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>The largest difference of an output of %1 from %2 is %3, among %4 numbers. Rounding alone can cause small differences.</source>
        <translation>Der größte Unterschied einer Ausgabe von %1 zu %2 ist %3, unter %4 Zahlen. Schon Runden kann kleine Unterschiede ergeben.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>The map shows the differences cell by cell for one request. The colours go up to the largest difference of the map, %1.</source>
        <translation>Die Karte zeigt die Unterschiede Zelle für Zelle für eine Anfrage. Die Farben gehen bis zum größten Unterschied der Karte, %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>The pairs of one step</source>
        <translation>Die Paare eines Schritts</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>The same work, computed in several ways</source>
        <translation>Dieselbe Arbeit, auf mehrere Arten berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>The scenario was run twice: with the KV cache, and without it, where each of %1 steps computes its sequences from the beginning. The text should be the same.</source>
        <translation>Das Szenario lief zweimal: mit dem KV-Cache, und ohne ihn, wo jeder von %1 Schritten seine Sequenzen von Anfang an berechnet. Der Text sollte derselbe sein.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>The time comes from a cost model.</source>
        <translation>Die Zeit kommt aus einem Kostenmodell.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>The time is the median of %1 runs measured on this computer.</source>
        <translation>Die Zeit ist der Median aus %1 Läufen, die auf diesem Rechner gemessen wurden.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>The time was measured on this computer.</source>
        <translation>Die Zeit wurde auf diesem Rechner gemessen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>What is compared</source>
        <translation>Was verglichen wird</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>What it costs</source>
        <translation>Was es kostet</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>Where they differ</source>
        <translation>Wo sie sich unterscheiden</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>With and without a cache</source>
        <translation>Mit und ohne Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_tour.cpp"/>
        <source>With the cache %1 rows went through the model, without it %2. The pairs of query and key are %3 and %4: the cache leaves %5% of them.</source>
        <translation>Mit dem Cache gingen %1 Zeilen durch das Modell, ohne ihn %2. Paare von Query und Key sind es %3 und %4: Der Cache lässt %5% davon übrig.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>%1 backends</source>
        <translation>%1 Backends</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>A column is one way to do the same work: see whether results differ, and what each way costs.</source>
        <translation>Eine Spalte ist eine Art, dieselbe Arbeit zu tun: Sieh nach, ob Ergebnisse abweichen, und was jede Art kostet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Backends to compare</source>
        <translation>Backends im Vergleich</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Baseline</source>
        <translation>Basis</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Choose two to four backends, then press Compare.</source>
        <translation>Wähle zwei bis vier Backends, dann drücke „Vergleich“.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Click a cell of a map</source>
        <translation>Auf eine Zelle einer Karte klicken</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Click or drag in the steps</source>
        <translation>In den Schritten klicken oder ziehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <location filename="../../gui/views/compare/compare_view.h"/>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Compare runs the scenario of this run again through %1 backends with the same queries, keys and values, and shows how their outputs, times and memory differ.</source>
        <translation>Der Vergleich lässt das Szenario dieses Laufs noch einmal durch %1 Backends laufen, mit denselben Queries, Keys und Values, und zeigt, wie ihre Ausgaben, Zeiten und ihr Speicher abweichen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Compare runs the scenario of this run twice, with and without a KV cache, and shows what the cache saves and whether the answer is the same.</source>
        <translation>Der Vergleich lässt das Szenario dieses Laufs zweimal laufen, mit und ohne KV-Cache, und zeigt, was der Cache spart und ob die Antwort dieselbe ist.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Compare several backends on the same work</source>
        <translation>Mehrere Backends an derselben Arbeit vergleichen</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Compare the run with its KV cache and without one: what the cache saves</source>
        <translation>Den Lauf mit und ohne KV-Cache vergleichen: was der Cache spart</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Compare with changes</source>
        <translation>Mit Änderungen vergleichen</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Compare › %1</source>
        <translation>Vergleich › %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Compare, or stop comparing</source>
        <translation>Vergleichen, oder den Vergleich stoppen</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Computes with this value of the option “%1” in place of the run's. %2</source>
        <translation>Rechnet mit diesem Wert der Option „%1“ anstelle des Werts im Lauf. %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Ctrl+R</source>
        <translation>Strg+R</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Difference of the attention weights: %1, layer %2, head %3</source>
        <translation>Unterschied der Attention-Gewichte: %1, Schicht %2, Kopf %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Difference of the outputs: %1, layer %2, all heads</source>
        <translation>Unterschied der Ausgaben: %1, Schicht %2, alle Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Home, End</source>
        <translation>Pos1, Ende</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Map of differences</source>
        <translation>Karte der Unterschiede</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Maps of the next and previous head; with Shift: layer</source>
        <translation>Karten des nächsten und vorigen Kopfes; mit Umschalt: Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Move from number to number; with and without a cache: from row to row, and from step to step</source>
        <translation>Von Zahl zu Zahl gehen; mit und ohne Cache: von Zeile zu Zeile und von Schritt zu Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Progress of the comparison</source>
        <translation>Fortschritt des Vergleichs</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Run the comparison</source>
        <translation>Den Vergleich ausführen</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Run the same work through the chosen backends (Ctrl+R)</source>
        <translation>Dieselbe Arbeit durch die gewählten Backends laufen lassen (Strg+R)</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Run the same work with and without a cache (Ctrl+R)</source>
        <translation>Dieselbe Arbeit mit und ohne Cache laufen lassen (Strg+R)</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Running the same work through %1 backends: %2</source>
        <translation>Dieselbe Arbeit läuft durch %1 Backends: %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Running the same work with and without a cache: %1</source>
        <translation>Dieselbe Arbeit läuft mit und ohne Cache: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Select this cell, or in a map of outputs this token, for the other views</source>
        <translation>Diese Zelle, oder in einer Karte der Ausgaben dieses Token, für die anderen Ansichten auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Show the comparison of backends, or with and without a cache</source>
        <translation>Den Vergleich von Backends zeigen, oder den mit und ohne Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Show the pairs of this step</source>
        <translation>Die Paare dieses Schritts zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Start the comparison that is chosen in the header of Compare, or stop it</source>
        <translation>Den Vergleich starten, der in der Kopfzeile von Vergleich gewählt ist, oder ihn stoppen</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Start the run with the settings that were changed in Workload, and compare it</source>
        <translation>Den Lauf mit den Einstellungen starten, die im Auftrag geändert wurden, und ihn vergleichen</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>Stop the comparison</source>
        <translation>Den Vergleich stoppen</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>The baseline that all backends are compared with: the first one that can run, or the fp64 reference</source>
        <translation>Die Basis, mit der alle Backends verglichen werden: das erste, das laufen kann, oder die fp64-Referenz</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>The report has no comparison, because the one that is shown belongs to another run.</source>
        <translation>Der Bericht hat keinen Vergleich, weil der gezeigte zu einem anderen Lauf gehört.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>The settings that were changed in Workload are not used yet: Compare takes those of the run that is shown. “Compare with changes” starts a run with them first.</source>
        <translation>Die im Auftrag geänderten Einstellungen gelten noch nicht: Verglichen wird mit denen des gezeigten Laufs. „Mit Änderungen vergleichen“ startet zuerst einen Lauf mit ihnen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>The two to four backends to compare; “UNIFIED fast” is the backend UNIFIED with the value “fast” of one option</source>
        <translation>Die zwei bis vier Backends, die verglichen werden; „UNIFIED fast“ ist das Backend UNIFIED mit dem Wert „fast“ einer Option</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>This comparison belongs to another run than the one shown, and so does the comparison that is being computed.</source>
        <translation>Dieser Vergleich gehört zu einem anderen Lauf als dem gezeigten, und auch der Vergleich, der gerade berechnet wird.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>This comparison belongs to another run than the one shown. Press Compare again.</source>
        <translation>Dieser Vergleich gehört zu einem anderen Lauf als dem gezeigten. Drücke noch einmal „Vergleich“.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>This comparison belongs to another run than the one shown. The comparison of the run that is shown goes on.</source>
        <translation>Dieser Vergleich gehört zu einem anderen Lauf als dem gezeigten. Der Vergleich des gezeigten Laufs geht weiter.</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>What is compared: several backends on the same work, or this run with and without its KV cache</source>
        <translation>Was verglichen wird: mehrere Backends an derselben Arbeit, oder dieser Lauf mit und ohne seinen KV-Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>What the maps compare: attention weights [query, key] of one head, or outputs [row, head] of one layer</source>
        <translation>Was die Karten vergleichen: Attention-Gewichte [Query, Key] eines Kopfes oder Ausgaben [Zeile, Kopf] einer Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>With and without a cache: the first and the last step</source>
        <translation>Mit und ohne Cache: der erste und der letzte Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>against reference</source>
        <translation>gegen reference</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>against the first</source>
        <translation>gegen das erste</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>nothing has been compared (Ctrl+R)</source>
        <translation>nichts wurde verglichen (Strg+R)</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>the comparison has no result</source>
        <translation>der Vergleich hat kein Ergebnis</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>the comparison is a separate run over all steps, not only step %1</source>
        <translation>der Vergleich ist ein eigener Lauf über alle Schritte, nicht nur Schritt %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>waiting until the run has finished its step</source>
        <translation>wartet, bis der Lauf seinen Schritt beendet hat</translation>
    </message>
    <message>
        <location filename="../../gui/views/compare/compare_view.cpp"/>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>Begin of the event, in milliseconds on the run's clock. A pause does not count.</source>
        <translation>Beginn des Ereignisses, in Millisekunden auf der Uhr des Laufs. Eine Pause zählt nicht.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>Click to sort; click again to reverse the order.</source>
        <translation>Klick zum Sortieren; noch ein Klick kehrt die Reihenfolge um.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>Duration of a span in microseconds; a moment has none.</source>
        <translation>Dauer einer Spanne in Mikrosekunden; ein Zeitpunkt hat keine.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>Place of the event in the list of recorded events; numbers of different threads do not tell which event was first.</source>
        <translation>Platz des Ereignisses in der Liste der Aufzeichnung; Nummern verschiedener Threads sagen nicht, welches Ereignis zuerst war.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>The attention layer, from 0.</source>
        <translation>Die Attention-Schicht, ab 0.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>The cache block that the event is about.</source>
        <translation>Der Block des Caches, um den es geht.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>The engine step of the event; empty if the event is in no step.</source>
        <translation>Der Engine-Schritt des Ereignisses; leer, wenn das Ereignis in keinem Schritt liegt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>The request that the event is about; filter by its name or number with request:Lily or request:0, for example.</source>
        <translation>Die Anfrage, um die es geht; filtere nach ihrem Namen oder ihrer Nummer zum Beispiel mit request:Lily oder request:0.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>The thread: the engine's thread or a worker.</source>
        <translation>Der Thread: der der Engine oder ein Worker.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>What else the event says, such as its kernel, its keys or its bytes.</source>
        <translation>Was das Ereignis sonst sagt, etwa sein Kernel, seine Keys oder seine Bytes.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>What happened; filter by the kind with kind:tile, for example.</source>
        <translation>Was geschah; filtere nach der Art zum Beispiel mit kind:tile.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>duration, µs</source>
        <translation>Dauer, µs</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>lane</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>no %1</source>
        <translation>kein %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_model.cpp"/>
        <source>time, ms</source>
        <translation>Zeit, ms</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_table.cpp"/>
        <source>Rows of the events</source>
        <translation>Zeilen der Ereignisse</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_tour.cpp"/>
        <source>A row is an event that the engine recorded, such as a step, a kernel, a tile or a change of a block. Now there are %1.</source>
        <translation>Eine Zeile ist ein Ereignis, das die Engine aufgezeichnet hat, etwa ein Schritt, ein Kernel, eine Kachel oder die Änderung eines Blocks. Jetzt sind es %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_tour.cpp"/>
        <source>Click a heading to sort by it; click again to reverse the order.</source>
        <translation>Klicke eine Überschrift an, um danach zu sortieren; klicke noch einmal, um die Reihenfolge umzukehren.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_tour.cpp"/>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_tour.cpp"/>
        <source>Everything that happened</source>
        <translation>Alles, was geschah</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_tour.cpp"/>
        <source>Find the one you need</source>
        <translation>Das Richtige finden</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_tour.cpp"/>
        <source>No event fits the filter, the chosen kinds and the switch “Only selected”. Take them back to see all events.</source>
        <translation>Kein Ereignis passt zum Filter, zu den gewählten Arten und zum Schalter „Nur Ausgewähltes“. Nimm sie zurück, um alle Ereignisse zu sehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_tour.cpp"/>
        <source>No event has been recorded yet. Press Space to run the scenario.</source>
        <translation>Noch ist kein Ereignis aufgezeichnet. Starte das Szenario mit der Leertaste.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_tour.cpp"/>
        <source>One event</source>
        <translation>Ein Ereignis</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_tour.cpp"/>
        <source>Only what is selected</source>
        <translation>Nur das Ausgewählte</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_tour.cpp"/>
        <source>This is event %1 of the run, of the kind “%2”, at %3 ms. Enter or a double-click takes the views there.</source>
        <translation>Das ist Ereignis %1 des Laufs, von der Art „%2“, bei %3 ms. Eingabe oder ein Doppelklick bringt die Ansichten dorthin.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_tour.cpp"/>
        <source>Type a word or a condition here, such as kind:tile or request:0, and only rows that fit stay. Tab completes conditions. Now %1 rows are shown.</source>
        <translation>Tippe hier ein Wort oder eine Bedingung ein, etwa kind:tile oder request:0, und nur passende Zeilen bleiben. Tab ergänzt Bedingungen. Jetzt werden %1 Zeilen gezeigt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_tour.cpp"/>
        <source>With this switch the table shows only events of what is selected, for example of a span, a token or a block.</source>
        <translation>Mit diesem Schalter zeigt die Tabelle nur Ereignisse dessen, was ausgewählt ist, zum Beispiel eines Balkens, Tokens oder Blocks.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>%1 dropped</source>
        <translation>%1 verloren</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>%1 events</source>
        <translation>%1 Ereignisse</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>1 event</source>
        <translation>1 Ereignis</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>&lt;qt&gt;A word is searched in kind, lane and details. A term asks for the value of a field:&lt;br&gt;&lt;b&gt;kind:tile&lt;/b&gt;, or the beginning of a name, &lt;b&gt;kind:block&lt;/b&gt;; &lt;b&gt;lane:engine&lt;/b&gt;, &lt;b&gt;lane:worker1&lt;/b&gt;&lt;br&gt;&lt;b&gt;step:10..20&lt;/b&gt;, &lt;b&gt;layer:2&lt;/b&gt;, &lt;b&gt;request:Lily&lt;/b&gt; or &lt;b&gt;request:0&lt;/b&gt;, &lt;b&gt;block:17&lt;/b&gt;, &lt;b&gt;number:&amp;gt;1000&lt;/b&gt;&lt;br&gt;&lt;b&gt;duration:&amp;gt;50us&lt;/b&gt;, &lt;b&gt;time:1ms..2.5ms&lt;/b&gt; with ns, us, ms or s&lt;br&gt;The table shows the events for which all words and terms hold. Of several values, as in &lt;b&gt;request:1,3&lt;/b&gt;, one must hold. Ctrl+F goes here, Esc clears the filter.&lt;/qt&gt;</source>
        <translation>&lt;qt&gt;Ein Wort wird in Art, Zeile und Einzelheiten gesucht. Ein Term fragt nach dem Wert eines Feldes:&lt;br&gt;&lt;b&gt;kind:tile&lt;/b&gt;, oder der Anfang eines Namens, &lt;b&gt;kind:block&lt;/b&gt;; &lt;b&gt;lane:engine&lt;/b&gt;, &lt;b&gt;lane:worker1&lt;/b&gt;&lt;br&gt;&lt;b&gt;step:10..20&lt;/b&gt;, &lt;b&gt;layer:2&lt;/b&gt;, &lt;b&gt;request:Lily&lt;/b&gt; oder &lt;b&gt;request:0&lt;/b&gt;, &lt;b&gt;block:17&lt;/b&gt;, &lt;b&gt;number:&amp;gt;1000&lt;/b&gt;&lt;br&gt;&lt;b&gt;duration:&amp;gt;50us&lt;/b&gt;, &lt;b&gt;time:1ms..2.5ms&lt;/b&gt; mit ns, us, ms oder s&lt;br&gt;Die Tabelle zeigt die Ereignisse, für die alle Wörter und Terme gelten. Von mehreren Werten, wie in &lt;b&gt;request:1,3&lt;/b&gt;, muss einer gelten. Strg+F geht hierher, Esc leert den Filter.&lt;/qt&gt;</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>A row is one recorded event; Enter takes the views there.</source>
        <translation>Eine Zeile ist ein aufgezeichnetes Ereignis; Eingabe bringt die Ansichten dorthin.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Choose a column; sort by it; again: reverse the order</source>
        <translation>Eine Spalte wählen; danach sortieren; noch einmal: die Reihenfolge umkehren</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Choose a row (Home: the first)</source>
        <translation>Eine Zeile wählen (Pos1: die erste)</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Ctrl+F, /</source>
        <translation>Strg+F, /</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Enter, double-click</source>
        <translation>Eingabe, Doppelklick</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Filter of the events</source>
        <translation>Filter der Ereignisse</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Filter: words, or step:10..20 kind:tile duration:&gt;50us</source>
        <translation>Filter: Wörter, oder step:10..20 kind:tile duration:&gt;50us</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Follow the newest event</source>
        <translation>Dem neuesten Ereignis folgen</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Follow the newest event, or stop following it</source>
        <translation>Dem neuesten Ereignis folgen, oder nicht mehr</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Go to the filter. There Tab accepts the completion, Esc clears the filter, Down goes to the rows</source>
        <translation>Zum Filter gehen. Dort übernimmt Tab den Vorschlag, Esc leert den Filter, Ab geht zu den Zeilen</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Go to the last row; if it is the newest event, follow it</source>
        <translation>Zur letzten Zeile gehen; ist sie das neueste Ereignis, ihm folgen</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Go to the next row of what is selected</source>
        <translation>Zur nächsten Zeile des Ausgewählten gehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Go to the next row of what is selected (S)</source>
        <translation>Zur nächsten Zeile des Ausgewählten gehen (S)</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Keep the newest event in view while the rows are sorted by number (L). Scrolling away switches this off.</source>
        <translation>Das neueste Ereignis im Blick behalten, solange die Zeilen nach Nummer sortiert sind (L). Wegrollen schaltet das aus.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Kinds of events: %1</source>
        <translation>Arten von Ereignissen: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>L</source>
        <translation>L</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Left, Right; O, click on a heading</source>
        <translation>Links, Rechts; O, Klick auf eine Überschrift</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Looking</source>
        <translation>Ansehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>No event fits the filter</source>
        <translation>Kein Ereignis passt zum Filter</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>No event fits the filter.</source>
        <translation>Kein Ereignis passt zum Filter.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>No events yet</source>
        <translation>Noch keine Ereignisse</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>No events yet.</source>
        <translation>Noch keine Ereignisse.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Only events of what is selected</source>
        <translation>Nur Ereignisse des Ausgewählten</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Only selected</source>
        <translation>Nur Ausgewähltes</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Press Ctrl+F to go to the filter, and Esc there to clear it. The chosen kinds and “Only selected” may hide events too.</source>
        <translation>Drücke Strg+F, um zum Filter zu gehen, und dort Esc, um ihn zu leeren. Auch die gewählten Arten und „Nur Ausgewähltes“ können Ereignisse verbergen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Select the event or block of the row, and go to its step or time</source>
        <translation>Das Ereignis oder den Block der Zeile auswählen und zu seinem Schritt oder Zeitpunkt gehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Show only events of what is selected in any view; if nothing is selected, those of the shown request.</source>
        <translation>Nur Ereignisse dessen zeigen, was in einer Ansicht ausgewählt ist; ist nichts ausgewählt, die der gezeigten Anfrage.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Show the table of recorded events</source>
        <translation>Die Tabelle der aufgezeichneten Ereignisse zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Show what is selected</source>
        <translation>Das Ausgewählte zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Steps, kernels, tiles, requests and block changes of the run become rows here. Press Space to run.</source>
        <translation>Schritte, Kernel, Kacheln, Anfragen und Änderungen der Blöcke des Laufs werden hier zu Zeilen. Drücke die Leertaste zum Starten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>The history begins with step %1, so the views show that step.</source>
        <translation>Die Geschichte beginnt mit Schritt %1, darum zeigen die Ansichten diesen Schritt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>The kinds of events that are shown</source>
        <translation>Die Arten von Ereignissen, die zu sehen sind</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>The table has no row for the selected span.</source>
        <translation>Die Tabelle hat keine Zeile für den ausgewählten Balken.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>The table has no row for what is selected.</source>
        <translation>Die Tabelle hat keine Zeile für das Ausgewählte.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>Up, Down, Page up, Page down, Home</source>
        <translation>Auf, Ab, Bild auf, Bild ab, Pos1</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>filtering %1%</source>
        <translation>filtert %1%</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>only what is selected</source>
        <translation>nur Ausgewähltes</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>sorting %1%</source>
        <translation>sortiert %1%</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>times are modelled</source>
        <translation>Zeiten sind modelliert</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/events_view.cpp"/>
        <source>until step %1</source>
        <translation>bis Schritt %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/kind_menu.cpp"/>
        <source>%1 of %2 kinds</source>
        <translation>%1 von %2 Arten</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/kind_menu.cpp"/>
        <source>All kinds</source>
        <translation>Alle Arten</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/kind_menu.cpp"/>
        <source>All of these</source>
        <translation>Alle davon</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/kind_menu.cpp"/>
        <source>Only these</source>
        <translation>Nur diese</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/rows/event_filter.cpp"/>
        <source>%1:%2 is not understood. Write a limit (%1:&gt;50us), a range (%1:10us..2ms) or a value. Units are ns, us, ms and s; a value without a unit is in %3.</source>
        <translation>%1:%2 ist nicht verständlich. Schreib eine Grenze (%1:&gt;50us), einen Bereich (%1:10us..2ms) oder einen Wert. Einheiten sind ns, us, ms und s; ein Wert ohne Einheit ist in %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/rows/event_filter.cpp"/>
        <source>%1:%2 is not understood. Write a whole number (%1:3), a range (%1:10..20), a limit (%1:&gt;10) or several (%1:1,5).</source>
        <translation>%1:%2 ist nicht verständlich. Schreib eine ganze Zahl (%1:3), einen Bereich (%1:10..20), eine Grenze (%1:&gt;10) oder mehrere (%1:1,5).</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/rows/event_filter.cpp"/>
        <source>No request so far has a name that begins with %1. Write a name, the beginning of one, or a number from 0.</source>
        <translation>Bisher hat keine Anfrage einen Namen, der mit %1 beginnt. Schreib einen Namen, dessen Anfang, oder eine Nummer ab 0.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/rows/event_filter.cpp"/>
        <source>There is no field %1. The fields are %2. To search for a word, leave out the colon.</source>
        <translation>Es gibt kein Feld %1. Die Felder sind %2. Um nach einem Wort zu suchen, lass den Doppelpunkt weg.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/rows/event_filter.cpp"/>
        <source>kind:%1 is not understood. Write the name of a kind or the beginning of a name, such as tile, kernel, step, token_sampled or block. The button beside the filter lists all kinds.</source>
        <translation>kind:%1 ist nicht verständlich. Schreib den Namen einer Art oder dessen Anfang, etwa tile, kernel, step, token_sampled oder block. Der Knopf neben dem Filter zeigt alle Arten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/rows/event_filter.cpp"/>
        <source>lane:%1 is not understood. Lanes are engine, worker0, worker1 and so on; lane:worker means all workers.</source>
        <translation>lane:%1 ist nicht verständlich. Zeilen sind engine, worker0, worker1 und so weiter; lane:worker heißt: alle Worker.</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/rows/event_filter.cpp"/>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <location filename="../../gui/views/events/rows/event_filter.cpp"/>
        <source>µs</source>
        <translation>µs</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source> (logits before the soft cap)</source>
        <translation> (Logits vor dem Soft Cap)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source> The model caps its logits: the shares are of the difference before the cap.</source>
        <translation> Das Modell begrenzt seine Logits: Die Anteile sind die der Differenz vor der Begrenzung.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>%1: %2
speaks for %3</source>
        <translation>%1: %2
spricht für %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>%1: %2
sum so far %3</source>
        <translation>%1: %2
Summe bisher %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>After %1: logit of %2 is %3, of %4 it is %5; who made the difference?</source>
        <translation>Nach %1: Der Logit von %2 ist %3, der von %4 ist %5; wer hat den Unterschied gemacht?</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>By how much this part raises the logit of %1 above that of %2 after %3. A negative number speaks for %2.</source>
        <translation>Um wie viel dieser Teil nach %3 den Logit von %1 über den von %2 hebt. Eine negative Zahl spricht für %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>Heads (layer down, head across)</source>
        <translation>Köpfe (Schicht senkrecht, Kopf waagerecht)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>MLP of layer %1</source>
        <translation>MLP von Schicht %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>Who said it: %1</source>
        <translation>Wer war es: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>all parts</source>
        <translation>alle Teile</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>biases</source>
        <translation>Biases</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>c is what the part adds to the residual stream of this position. Factor and gain are those of the model's last norm, with the statistics of the whole stream; U is the model's output embedding, a is %1 and b is %2. Where the model multiplies its logits by a factor, the share is multiplied by it, too.</source>
        <translation>c ist, was der Teil zum Residual Stream dieser Position addiert. Faktor und Verstärkung sind die der letzten Norm des Modells, mit der Statistik des ganzen Stroms; U ist das Ausgabe-Embedding des Modells, a ist %1 und b ist %2. Wo das Modell seine Logits mit einem Faktor multipliziert, ist auch der Anteil damit multipliziert.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>difference of the logits of %1 and %2: %3</source>
        <translation>Differenz der Logits von %1 und %2: %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>embedding</source>
        <translation>Embedding</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>embedding + heads + MLPs + biases = difference</source>
        <translation>Embedding + Köpfe + MLPs + Biases = Differenz</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>head %1.%2</source>
        <translation>Kopf %1.%2</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>layer %1, MLP</source>
        <translation>Schicht %1, MLP</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>layer %1, heads</source>
        <translation>Schicht %1, Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>logit of %1</source>
        <translation>Logit von %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>part of the difference</source>
        <translation>Teil der Differenz</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>share of c = (centre(c) × factor × gain) · (U_a − U_b)</source>
        <translation>Anteil von c = (zentriert(c) × Faktor × Verstärkung) · (U_a − U_b)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>share of the logit difference: −%1 to +%1 logits</source>
        <translation>Anteil an der Logit-Differenz: −%1 bis +%1 Logits</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_picture.cpp"/>
        <source>the model's logits: %1 − %2 = %3</source>
        <translation>die Logits des Modells: %1 − %2 = %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_tour.cpp"/>
        <source>After %1 the logits of %2 and %3, before a soft cap if there is one, differ by %4. The shares of heads, MLPs, embedding and biases add up to this difference, except for rounding.</source>
        <translation>Nach %1 unterscheiden sich die Logits von %2 und %3, vor einem etwaigen Soft Cap, um %4. Die Anteile von Köpfen, MLPs, Embedding und Biases ergeben zusammen diesen Unterschied, bis auf Rundung.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_tour.cpp"/>
        <source>Another question</source>
        <translation>Eine andere Frage</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_tour.cpp"/>
        <source>Head %1 of layer %2 gives %3. A number above 0 speaks for %4, one below 0 for %5.</source>
        <translation>Kopf %1 von Schicht %2 gibt %3. Eine Zahl über 0 spricht für %4, eine unter 0 für %5.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_tour.cpp"/>
        <source>The MLP that says most</source>
        <translation>Das MLP, das am meisten sagt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_tour.cpp"/>
        <source>The head that says most</source>
        <translation>Der Kopf, der am meisten sagt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_tour.cpp"/>
        <source>The last column has the MLPs, which work on each token alone. The one of layer %1 gives %2.</source>
        <translation>Die letzte Spalte hat die MLPs, die mit jedem Token allein arbeiten. Das von Schicht %1 gibt %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_tour.cpp"/>
        <source>The sum, bar by bar</source>
        <translation>Die Summe, Balken für Balken</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_tour.cpp"/>
        <source>The waterfall begins with the embedding, which gives %1, and adds one part after the other. The sum of the parts is %2; the model's own difference is %3.</source>
        <translation>Der Wasserfall beginnt mit dem Embedding, das %1 gibt, und zählt Teil für Teil dazu. Die Summe der Teile ist %2; der Unterschied im Modell selbst ist %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_tour.cpp"/>
        <source>Type another token here to ask why the model did not say that one.</source>
        <translation>Tippe hier ein anderes Token ein, um zu fragen, warum das Modell nicht dieses sagte.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_tour.cpp"/>
        <location filename="../../gui/views/explore/attribution/attribution_view.cpp"/>
        <source>Who said it</source>
        <translation>Wer war es</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_view.cpp"/>
        <source>Check: sum of the parts %1, difference of the logits %2, %3.</source>
        <translation>Probe: Summe der Teile %1, Differenz der Logits %2, %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_view.cpp"/>
        <source>Check: the outputs of the heads with the bias, and what attention adds to the stream in %1 layers: %2, where the largest number is %3.</source>
        <translation>Probe: die Ausgaben der Köpfe mit dem Bias, und was Attention in %1 Schichten zum Residual Stream addiert: %2, bei einer größten Zahl von %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_view.cpp"/>
        <source>Check: Σ weight × W_O v and the stored outputs of %1 heads: %2, where the largest number is %3.</source>
        <translation>Probe: Σ Gewicht × W_O v und die gespeicherten Ausgaben von %1 Köpfen: %2, bei einer größten Zahl von %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_view.cpp"/>
        <source>Click a head, arrow keys</source>
        <translation>Auf einen Kopf klicken, Pfeiltasten</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_view.cpp"/>
        <source>Show this head in the other views</source>
        <translation>Diesen Kopf in den anderen Ansichten zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_view.cpp"/>
        <source>Show which heads and MLPs made the answer</source>
        <translation>Zeigen, welche Köpfe und MLPs die Antwort gemacht haben</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_view.cpp"/>
        <source>The parts add up to the difference of two logits: see which heads speak for the answer, and which against it.</source>
        <translation>Die Teile ergeben zusammen die Differenz zweier Logits: Sieh nach, welche Köpfe für die Antwort sprechen und welche dagegen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_view.cpp"/>
        <source>The share of every head and MLP</source>
        <translation>Der Anteil jedes Kopfes und MLPs</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_view.cpp"/>
        <source>The token whose logit is compared with that of the likeliest one; empty: the second likeliest</source>
        <translation>Das Token, dessen Logit mit dem des wahrscheinlichsten verglichen wird; leer: das zweitwahrscheinlichste</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_view.cpp"/>
        <source>Token to compare with</source>
        <translation>Token zum Vergleich</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/attribution/attribution_view.cpp"/>
        <source>against: second best</source>
        <translation>gegen: zweitbestes</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_canvas.cpp"/>
        <source>Look inside</source>
        <translation>Hineinsehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_canvas.cpp"/>
        <source>Position in the picture</source>
        <translation>Stelle im Bild</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <source>%1 Run a scenario with a trained model, such as “First look”, and choose one of its requests in the header.</source>
        <translation>%1 Starte ein Szenario mit einem trainierten Modell, zum Beispiel „Erster Blick“, und wähle in der Kopfzeile eine seiner Anfragen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Double-click beside the picture, F</source>
        <translation>Doppelklick neben das Bild, F</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <source>I</source>
        <translation>I</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <location filename="../../gui/widgets/request/inside_switch.cpp"/>
        <source>Inside</source>
        <translation>Innen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <source>Inside is off, so this view has no numbers from inside the model. Press the button in the middle, or the key I in the view; then the tour goes on.</source>
        <translation>„Innen“ ist aus, darum hat diese Ansicht keine Zahlen aus dem Inneren des Modells. Drücke den Knopf in der Mitte oder die Taste I in der Ansicht; dann geht die Führung weiter.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <source>Inside on or off: keep numbers from inside the model, or not</source>
        <translation>„Innen“ ein oder aus: Zahlen aus dem Inneren des Modells behalten, oder nicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Larger and smaller text</source>
        <translation>Größerer und kleinerer Text</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <source>Switched in this view: %1.</source>
        <translation>In dieser Ansicht umgeschaltet: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Text in its usual size, from the beginning</source>
        <translation>Text in üblicher Größe, vom Anfang an</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <source>The picture was not computed, because Inside is off.</source>
        <translation>Das Bild wurde nicht berechnet, weil „Innen“ aus ist.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <source>The views with this switch use numbers from inside the model; those of this request take %1 of memory. Switching Inside off frees the memory, unless the run itself keeps these numbers.</source>
        <translation>Die Ansichten mit diesem Schalter benutzen Zahlen aus dem Inneren des Modells; die dieser Anfrage brauchen %1 Speicher. „Innen“ auszuschalten gibt den Speicher frei, außer wenn der Lauf selbst diese Zahlen aufhebt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>This request is changed: %1.</source>
        <translation>Diese Anfrage ist verändert: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <source>What this view shows is being computed. The tour begins when it is there.</source>
        <translation>Was diese Ansicht zeigt, wird berechnet. Die Führung beginnt, wenn es da ist.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Wheel, Page up, Page down, Home, End, middle drag</source>
        <translation>Rad, Bild auf, Bild ab, Pos1, Ende, mit der mittleren Taste ziehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <source>residue %1</source>
        <translation>Rest %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <source>there is no picture yet</source>
        <translation>es gibt noch kein Bild</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/explore_view.cpp"/>
        <source>there is no picture yet: Inside is off</source>
        <translation>es gibt noch kein Bild: „Innen“ ist aus</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>
the likeliest token in its place had probability %1 and now has %2
divergence %3 nats</source>
        <translation>
das wahrscheinlichste Token an seiner Stelle hatte die Wahrscheinlichkeit %1 und hat jetzt %2
Divergenz %3 Nat</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>
the token after it had probability %1 and now has %2
divergence %3 nats</source>
        <translation>
das Token danach hatte die Wahrscheinlichkeit %1 und hat jetzt %2
Divergenz %3 Nat</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source> (%1 numbers changed)</source>
        <translation> (%1 Zahlen geändert)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>%1: was %2, is now %3</source>
        <translation>%1: war %2, ist jetzt %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>%1; click to take it back</source>
        <translation>%1; Klick nimmt es zurück</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>A beam search is not repeated, so there is no new answer to compare.</source>
        <translation>Eine Beam-Suche wird nicht wiederholt, darum gibt es keine neue Antwort zum Vergleichen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>Changed: %1.</source>
        <translation>Geändert: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>Computing.</source>
        <translation>Wird berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>Grey tokens are not compared: the changed request writes its own answer, and where the answers part, the tokens are no longer the same.</source>
        <translation>Graue Token werden nicht verglichen: Die veränderte Anfrage schreibt ihre eigene Antwort, und wo die Antworten auseinandergehen, sind es nicht mehr dieselben Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>Heads (layer down, head across): click to switch off</source>
        <translation>Köpfe (Schicht senkrecht, Kopf waagerecht): Klick schaltet aus</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>How much the distribution in the place of a token changes</source>
        <translation>Wie stark sich die Verteilung an der Stelle eines Tokens ändert</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>Knock-out: after %1, position %2</source>
        <translation>Knock-out: nach %1, Position %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>Knock-out: in the place of %1, position %2</source>
        <translation>Knock-out: an der Stelle von %1, Position %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>Kullback-Leibler divergence from 0 (pale) to %1 nats (strong)</source>
        <translation>Kullback-Leibler-Divergenz von 0 (blass) bis %1 Nat (kräftig)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>Nothing is changed.</source>
        <translation>Nichts ist geändert.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>Switch a head off to see how much the answer in the place of each token changes.</source>
        <translation>Schalte einen Kopf aus, um zu sehen, wie sehr sich die Antwort an der Stelle jedes Tokens ändert.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>Switch a head off to see how the answer changes without it.</source>
        <translation>Schalte einen Kopf aus, um zu sehen, wie sich die Antwort ohne ihn ändert.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>The answer as it was</source>
        <translation>Die Antwort, wie sie war</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>The answer is the same: all %1 tokens.</source>
        <translation>Die Antwort ist dieselbe: alle %1 Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>The answer now</source>
        <translation>Die Antwort jetzt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>The answers part at their first token.</source>
        <translation>Die Antworten trennen sich beim ersten Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>The first %1 of %2 tokens are the same; then the answers part.</source>
        <translation>Die ersten %1 von %2 Token sind gleich; dann trennen sich die Antworten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>The first of %1 tokens is the same; then the answers part.</source>
        <translation>Das erste von %1 Token ist gleich; dann trennen sich die Antworten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>The same tokens are run twice: as they were, and with %1.</source>
        <translation>Dieselben Token laufen zweimal: wie sie waren und mit %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>The same tokens: how much the distribution after a token changes</source>
        <translation>Dieselben Token: wie stark sich die Verteilung nach einem Token ändert</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>The shown request has these changes already, so there is nothing more to change.</source>
        <translation>Die gezeigte Anfrage hat diese Änderungen schon, daher ist nichts weiter zu ändern.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>There is no answer yet.</source>
        <translation>Es gibt noch keine Antwort.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>What belongs in the place of the selected token %1, %2</source>
        <translation>Was an die Stelle des gewählten Tokens %1, %2, gehört</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>What belongs in the place of token %1, %2</source>
        <translation>Was an die Stelle von Token %1, %2, gehört</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>What follows %1 (token %2)</source>
        <translation>Was auf %1 folgt (Token %2)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>What follows the selected token %1, %2 (in Next token: token %3)</source>
        <translation>Was auf das gewählte Token %1, %2, folgt (in „Nächstes Token“: Token %3)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>What the changes inside the model do to its answer after this token: the probability of the token that follows, and the divergence of the whole distribution.</source>
        <translation>Was die Änderungen im Modell mit seiner Antwort nach diesem Token machen: die Wahrscheinlichkeit des Tokens, das folgt, und die Divergenz der ganzen Verteilung.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>What the changes inside the model do to its answer in this place: the probability of the token that was the likeliest, and the divergence of the whole distribution.</source>
        <translation>Was die Änderungen im Modell an seiner Antwort an dieser Stelle ändern: die Wahrscheinlichkeit des Tokens, das das wahrscheinlichste war, und die Divergenz der ganzen Verteilung.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>divergence</source>
        <translation>Divergenz</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>divergence = Σ p log(p ÷ q), p: before, q: now</source>
        <translation>Divergenz = Σ p log(p ÷ q), p: vorher, q: jetzt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>divergence, nats</source>
        <translation>Divergenz, Nats</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>head %1.%2 works</source>
        <translation>Kopf %1.%2 arbeitet</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>is now</source>
        <translation>ist jetzt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>now ÷ before = %1 ÷ %2 = %3</source>
        <translation>jetzt ÷ vorher = %1 ÷ %2 = %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>probability before</source>
        <translation>Wahrscheinlichkeit vorher</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>probability now</source>
        <translation>Wahrscheinlichkeit jetzt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>token %1: %2</source>
        <translation>Token %1: %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_picture.cpp"/>
        <source>was</source>
        <translation>war</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>%1 things are changed</source>
        <translation>sind %1 Änderungen aktiv</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>1 thing is changed</source>
        <translation>ist 1 Änderung aktiv</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>A switch</source>
        <translation>Ein Schalter</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>After token %1 the likeliest token was %2 with %3%. With the change it has %4%.</source>
        <translation>Nach Token %1 war das wahrscheinlichste Token %2 mit %3%. Mit der Änderung hat es %4%.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>Before and after</source>
        <translation>Vorher und nachher</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>How the answer changes without a head</source>
        <translation>Wie sich die Antwort ohne einen Kopf ändert</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>In place of a head</source>
        <translation>An der Stelle eines Kopfes</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>In the place of token %1 the likeliest token was %2 with %3%. With the change it has %4%.</source>
        <translation>An der Stelle von Token %1 war %2 mit %3% das wahrscheinlichste Token. Mit der Änderung hat es %4%.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>Into the run</source>
        <translation>In den Lauf</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>Switch a head off, and the request is computed again with another output in place of the head's. There are %1 switches: %2 layers with %3 heads.</source>
        <translation>Schalte einen Kopf aus, und die Anfrage wird noch einmal berechnet, mit einer anderen Ausgabe an der Stelle der seinen. Es gibt %1 Schalter: %2 Schichten mit je %3 Köpfen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>The text</source>
        <translation>Der Text</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>These are the tokens of the request; %1 of them are computed. After a change the colours say how much the distribution after them changes; click a token to see its bars.</source>
        <translation>Das sind die Token der Anfrage; %1 davon sind berechnet. Nach einer Änderung sagen die Farben, wie sehr sich die Verteilung nach ihnen ändert; klicke ein Token an, um seine Balken zu sehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>These are the tokens of the request; %1 of them are computed. After a change the colours say how much the distribution in their places changes; click a token to see its bars.</source>
        <translation>Das sind die Token der Anfrage; %1 davon sind berechnet. Nach einer Änderung sagen die Farben, wie sehr sich die Verteilung an ihren Stellen ändert; klicke ein Token an, um seine Balken zu sehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>This button adds the changed request to the run, so that the other views can show it, too.</source>
        <translation>Dieser Knopf fügt die geänderte Anfrage dem Lauf hinzu, sodass auch die anderen Ansichten sie zeigen können.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>This is head %1 of layer %2. A click switches the head off, or on again. Now %3.</source>
        <translation>Das ist Kopf %1 von Schicht %2. Ein Klick schaltet den Kopf aus oder wieder ein. Jetzt %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_tour.cpp"/>
        <source>What stands in place of the output of a head: zero, its mean over the prompt, or what it is in another request. Now it is: %1.</source>
        <translation>Was an die Stelle der Ausgabe eines Kopfes tritt: null, ihr Mittel über den Prompt, oder was sie in einer anderen Anfrage ist. Jetzt ist es: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Add the changed request to the run</source>
        <translation>Die geänderte Anfrage zum Lauf hinzufügen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Add the changed request to the run, so that the other views can show it (J)</source>
        <translation>Die geänderte Anfrage zum Lauf hinzufügen, sodass die anderen Ansichten sie zeigen können (J)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Add to the run</source>
        <translation>Zum Lauf hinzufügen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Check: each entry of the list changes at least one number; one that changes none would be refused.</source>
        <translation>Probe: Jeder Eintrag der Liste ändert mindestens eine Zahl; einer, der keine ändert, würde abgelehnt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Check: in rows in which only an edge is cut (%1 were checked) the other weights are multiplied by 1 ÷ (1 − weight of the edge): %2.</source>
        <translation>Probe: in Zeilen, in denen nur eine Kante durchtrennt ist (%1 geprüft), sind die anderen Gewichte mit 1 ÷ (1 − Gewicht der Kante) multipliziert: %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Click a head, arrow keys and Enter</source>
        <translation>Auf einen Kopf klicken, Pfeiltasten und Eingabe</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Click a token</source>
        <translation>Auf ein Token klicken</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Click an entry of the list</source>
        <translation>Auf einen Eintrag der Liste klicken</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Cut the selected cell, so that its query does not read its key, or take that back</source>
        <translation>Die ausgewählte Zelle abschneiden, sodass ihre Query ihren Key nicht liest, oder das zurücknehmen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Head %1.%2 has no sink that could be taken out.</source>
        <translation>Kopf %1.%2 hat keine Senke, die entfernt werden könnte.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>J</source>
        <translation>J</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Knock-out</source>
        <translation>Knock-out</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Show the bars of this token</source>
        <translation>Die Balken dieses Tokens zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Stop the shown head from reading the first token, or take that back</source>
        <translation>Den gezeigten Kopf das erste Token nicht lesen lassen, oder das zurücknehmen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Switch a head off and look at the tokens whose distribution changes most.</source>
        <translation>Schalte einen Kopf aus und sieh dir die Token an, deren Verteilung sich am meisten ändert.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Switch heads off and see what changes</source>
        <translation>Köpfe ausschalten und sehen, was sich ändert</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Switch this head off, or on again</source>
        <translation>Diesen Kopf ausschalten, oder wieder ein</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Take all changes back</source>
        <translation>Alle Änderungen zurücknehmen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Take the learned sink of the shown head out of its softmax, or put it back</source>
        <translation>Die gelernte Senke des gezeigten Kopfs aus seiner Softmax nehmen, oder sie wieder einsetzen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>Take this change back</source>
        <translation>Diese Änderung zurücknehmen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>The request with some of its heads switched off</source>
        <translation>Die Anfrage mit einigen ausgeschalteten Köpfen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>What is put in place of a head</source>
        <translation>Was an die Stelle eines Kopfes tritt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>What is put in place of the output of a head: zero, its mean over the prompt, or what another request has at the same position</source>
        <translation>Was an die Stelle der Ausgabe eines Kopfes tritt: null, ihr Mittel über den Prompt, oder was eine andere Anfrage an derselben Position hat</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>X</source>
        <translation>X</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>from %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>its mean</source>
        <translation>sein Mittel</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/knock_out/knock_out_view.cpp"/>
        <source>zero</source>
        <translation>null</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>%1, position %2, reads %3
would say %4 with probability %5
%6, which follows: %7</source>
        <translation>%1, Position %2, liest %3
würde %4 sagen, mit der Wahrscheinlichkeit %5
%6, was folgt: %7</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>Click a cell, or move to it with the arrow keys, to see its likeliest tokens as bars.</source>
        <translation>Klick auf eine Zelle, oder geh mit den Pfeiltasten dorthin, um ihre wahrscheinlichsten Token als Balken zu sehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>Colour: %1. Text: the likeliest token; bold: it is also the token that follows.</source>
        <translation>Farbe: %1. Text: das wahrscheinlichste Token; fett: Es ist auch das Token, das folgt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>If the model ended at %1: what follows %2</source>
        <translation>Wenn das Modell bei %1 endete: was auf %2 folgt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>Logit lens of %1 positions at %2 places of the network; colours: %3.</source>
        <translation>Logit-Linse von %1 Positionen an %2 Stellen des Netzes; Farben: %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>Logit lens: %1, position %2</source>
        <translation>Logit-Linse: %1, Position %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>What the model would say after %1 if it ended at this place: most likely %2. %3 is the token that follows or, at the end of the text, the model's own answer.</source>
        <translation>Was das Modell nach %1 sagen würde, wenn es hier zu Ende wäre: am wahrscheinlichsten %2. %3 ist das Token, das folgt, oder am Ende des Textes die eigene Antwort des Modells.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>divergence = Σ p log(p ÷ lens), p: the model's own answer</source>
        <translation>Divergenz = Σ p log(p ÷ Linse), p: die eigene Antwort des Modells</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>divergence from the model's own answer</source>
        <translation>Divergenz von der eigenen Antwort des Modells</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>divergence from the model's own answer, nats</source>
        <translation>Divergenz von der eigenen Antwort des Modells, Nats</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>follows</source>
        <translation>folgt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>layer %1, attention</source>
        <translation>Schicht %1, Attention</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>logit</source>
        <translation>Logit</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>logit of the token that follows</source>
        <translation>Logit des Tokens, das folgt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>logits = U norm(x)</source>
        <translation>Logits = U Norm(x)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>probability</source>
        <translation>Wahrscheinlichkeit</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>probability %1, logit %2, rank %3, divergence from the answer %4 nats</source>
        <translation>Wahrscheinlichkeit %1, Logit %2, Rang %3, Divergenz von der Antwort %4 Nat</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>probability = exp(logit − log Σ exp(logits))</source>
        <translation>Wahrscheinlichkeit = exp(Logit − log Σ exp(Logits))</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>probability of %1</source>
        <translation>Wahrscheinlichkeit von %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>probability of the token that follows</source>
        <translation>Wahrscheinlichkeit des Tokens, das folgt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>rank + 1</source>
        <translation>Rang + 1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>rank + 1 of the token that follows</source>
        <translation>Rang + 1 des Tokens, das folgt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>rank of %1 (0: the likeliest)</source>
        <translation>Rang von %1 (0: das wahrscheinlichste)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>reads</source>
        <translation>liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_picture.cpp"/>
        <source>x is the residual stream of this position at this place, norm the model's last norm with the statistics of this x, and U the model's output embedding. A bias, factor or soft cap of the logits is applied where the model has one.</source>
        <translation>x ist der Residual Stream dieser Position an dieser Stelle, Norm die letzte Norm des Modells mit der Statistik dieses x und U das Ausgabe-Embedding des Modells. Wo das Modell einen Bias, einen Faktor oder einen Soft Cap der Logits hat, wird er angewandt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_tour.cpp"/>
        <source>After token %1 the text goes on with %2. The model gave that %3% and rank %4; rank 0 is the likeliest token.</source>
        <translation>Nach Token %1 geht der Text mit %2 weiter. Das Modell gab dem %3% und Rang %4; Rang 0 ist das wahrscheinlichste Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_tour.cpp"/>
        <source>Against the text</source>
        <translation>Gegen den Text</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_tour.cpp"/>
        <source>Before any layer</source>
        <translation>Vor jeder Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_tour.cpp"/>
        <source>Colours show: %1. The list has other numbers; a click on a cell shows the bars of its likeliest tokens.</source>
        <translation>Die Farben zeigen: %1. Die Liste hat andere Zahlen; ein Klick auf eine Zelle zeigt die Balken ihrer wahrscheinlichsten Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_tour.cpp"/>
        <source>From here on (%1) the likeliest token is %2, and it stays so up to the last layer. Here its probability is %3%.</source>
        <translation>Von hier an (%1) ist %2 das wahrscheinlichste Token und bleibt es bis zur letzten Schicht. Hier ist seine Wahrscheinlichkeit %3%.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_tour.cpp"/>
        <source>Right after the embedding only %1 has been read. The model would go on with %2, with a probability of %3%.</source>
        <translation>Gleich nach dem Embedding ist nur %1 gelesen. Das Modell würde mit %2 weitergehen, mit einer Wahrscheinlichkeit von %3%.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_tour.cpp"/>
        <source>The %1 columns are tokens that are read; the %2 rows go up from the embedding to the last layer. A cell has the token that the model would say next if it ended there.</source>
        <translation>Die %1 Spalten sind Token, die gelesen werden; die %2 Zeilen gehen vom Embedding nach oben zur letzten Schicht. Eine Zelle hat das Token, das das Modell als nächstes sagen würde, wenn es dort zu Ende wäre.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_tour.cpp"/>
        <source>The model's own answer</source>
        <translation>Die Antwort des Modells</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_tour.cpp"/>
        <source>The top row is the model's own answer; here the likeliest token is %1, with %2%.</source>
        <translation>Die oberste Zeile ist die eigene Antwort des Modells; das wahrscheinlichste Token ist hier %1, mit %2%.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_tour.cpp"/>
        <source>What the model would say, layer by layer</source>
        <translation>Was das Modell sagen würde, Schicht für Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_tour.cpp"/>
        <source>Where the answer appears</source>
        <translation>Wo die Antwort erscheint</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>Also after attention</source>
        <translation>Auch nach Attention</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>Also show each layer after its attention, or not</source>
        <translation>Jede Schicht auch nach ihrer Attention zeigen, oder nicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>Also show each layer between its attention and its MLP (A)</source>
        <translation>Jede Schicht auch zwischen ihrer Attention und ihrem MLP zeigen (A)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>C</source>
        <translation>C</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>Check: the row of the last layer and the logits of the model: %1.</source>
        <translation>Probe: die Zeile der letzten Schicht und die Logits des Modells: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>Click a cell, arrow keys</source>
        <translation>Auf eine Zelle klicken, Pfeiltasten</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>Colour by probability, logit, rank or divergence</source>
        <translation>Nach Wahrscheinlichkeit, Logit, Rang oder Divergenz färben</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>Colour the cells of the logit lens by %1</source>
        <translation>Die Zellen der Logit-Linse färben nach: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>Colours: probability, logit or rank of the token that follows, or the Kullback-Leibler divergence from the model's own answer (C)</source>
        <translation>Farben: Wahrscheinlichkeit, Logit oder Rang des Tokens, das folgt, oder die Kullback-Leibler-Divergenz von der eigenen Antwort des Modells (C)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>Logit lens</source>
        <translation>Logit-Linse</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>Logit lens › %1</source>
        <translation>Logit-Linse › %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>Positions %1 to %2 of %3 are shown.</source>
        <translation>Die Positionen %1 bis %2 von %3 sind zu sehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>Read a column upwards: see in which layer the answer appears.</source>
        <translation>Lies eine Spalte nach oben: Sieh nach, in welcher Schicht die Antwort erscheint.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>Show the bars of this cell</source>
        <translation>Die Balken dieser Zelle zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>Show what the model would say after each layer</source>
        <translation>Zeigen, was das Modell nach jeder Schicht sagen würde</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>The last %1 of %2 positions are shown.</source>
        <translation>Die letzten %1 von %2 Positionen sind zu sehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>What the colours show</source>
        <translation>Was die Farben zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>What the model would say after each layer</source>
        <translation>Was das Modell nach jeder Schicht sagen würde</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/lens/lens_view.cpp"/>
        <source>all bits are equal</source>
        <translation>alle Bits sind gleich</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source> %1 of %2 tokens can be drawn.</source>
        <translation> %1 von %2 Token können gezogen werden.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source> Tokens that are never sampled have %1.</source>
        <translation> Token, die nie gezogen werden, haben %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source> top-k %1 cut %2 away.</source>
        <translation> Top-k %1 hat %2 abgeschnitten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source> top-p %1 cut %2 away.</source>
        <translation> Top-p %1 hat %2 abgeschnitten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>%1, token id %2</source>
        <translation>%1, Token-ID %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>. The most likely token is %1 with %2. </source>
        <translation>. Das wahrscheinlichste Token ist %1 mit %2. </translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>0: the model was sure of this token</source>
        <translation>0: Das Modell war sich dieses Tokens sicher</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>0: the most likely one of all tokens</source>
        <translation>0: das wahrscheinlichste aller Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>An encoder draws nothing. This token is hidden by a mask: the bars come from the other tokens.</source>
        <translation>Ein Encoder zieht nichts. Dieses Token ist durch eine Maske verdeckt: Die Balken kommen von den anderen Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>An encoder draws nothing; it has read this token, and a mask in its place would hide it.</source>
        <translation>Ein Encoder zieht nichts; dieses Token hat er gelesen, und eine Maske an seiner Stelle würde es verdecken.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>Beam search draws nothing: it goes on with the most likely sequences.</source>
        <translation>Die Beam-Suche zieht nichts: Sie setzt die wahrscheinlichsten Sequenzen fort.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>Enter: a new request with this token in the place</source>
        <translation>Eingabe: eine neue Anfrage mit diesem Token an der Stelle</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>Enter: go on from here with this token</source>
        <translation>Eingabe: von hier mit diesem Token weiter</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>How likely this token was for the model, given those before it and before temperature and cuts.</source>
        <translation>Wie wahrscheinlich dieses Token für das Modell nach den Token davor war, vor Temperatur und Schnitten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>How likely this token was in its place for the model, which has read all tokens, also this one.</source>
        <translation>Wie wahrscheinlich dieses Token an seiner Stelle für das Modell war, das alle Token gelesen hat, auch dieses.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>Next token: %1 at position %2</source>
        <translation>Nächstes Token: %1 an Position %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>Next token: %1 for position %2</source>
        <translation>Nächstes Token: %1 für Position %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>T = %1</source>
        <translation>T = %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>Temperature 0 draws nothing: it takes the most likely token of those that may be taken, %1.</source>
        <translation>Temperatur 0 zieht nichts: Sie nimmt das wahrscheinlichste der Token, die genommen werden dürfen, %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>Temperature 0 draws nothing: it takes the most likely token, %1.</source>
        <translation>Temperatur 0 zieht nichts: Sie nimmt das wahrscheinlichste Token, %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>The logits are the model's at the position before this one: U norm(x), with x the residual stream after the last layer, norm the model's last norm and U its output embedding. A bias, factor or soft cap of the logits is applied where the model has one.</source>
        <translation>Die Logits sind die des Modells an der Position davor: U Norm(x), mit x dem Residual Stream nach der letzten Schicht, Norm der letzten Norm des Modells und U seinem Ausgabe-Embedding. Wo das Modell einen Bias, einen Faktor oder einen Soft Cap der Logits hat, wird er angewandt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>The logits are the model's at this position. Its layers that guess hidden tokens compute them from the residual stream after the last layer.</source>
        <translation>Die Logits sind die des Modells an dieser Position. Seine Schichten, die verdeckte Token erraten, berechnen sie aus dem Residual Stream nach der letzten Schicht.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>The pale bar is the probability that the model gives this token; the strong one is that with which the sampler draws it.</source>
        <translation>Der blasse Balken ist die Wahrscheinlichkeit, die das Modell diesem Token gibt; der kräftige ist die, mit der der Sampler es zieht.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>The probability that the model gives this token in the place.</source>
        <translation>Die Wahrscheinlichkeit, die das Modell diesem Token an der Stelle gibt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>The random number %1 falls on %2, which has %3 of the strip.</source>
        <translation>Die Zufallszahl %1 fällt auf %2, das %3 des Streifens hat.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>This token belongs to the prompt: it was given, not drawn.</source>
        <translation>Dieses Token gehört zum Prompt: Es war gegeben, nicht gezogen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>What belongs at token %1, the selected one? The text has %2</source>
        <translation>Was gehört an Token %1, das gewählte? Im Text steht %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>What belongs at token %1? The text has %2</source>
        <translation>Was gehört an Token %1? Im Text steht %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>What followed %1? Token %2 is %3</source>
        <translation>Was folgte auf %1? Token %2 ist %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>What followed %1? Token %2, the selected one, is %3</source>
        <translation>Was folgte auf %1? Token %2, das gewählte, ist %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>What follows %1? Token %2</source>
        <translation>Was folgt auf %1? Token %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>cut by top-k</source>
        <translation>von Top-k abgeschnitten</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>cut by top-p</source>
        <translation>von Top-p abgeschnitten</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>drawn</source>
        <translation>gezogen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>drawn with</source>
        <translation>gezogen mit</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>drawn with = tempered ÷ what the cuts left: %1 ÷ %2 = %3</source>
        <translation>gezogen mit = temperiert ÷ was die Schnitte übrig ließen: %1 ÷ %2 = %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>drawn with probability %1</source>
        <translation>gezogen mit der Wahrscheinlichkeit %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>it is the first token, so the model gave it no probability</source>
        <translation>es ist das erste Token, darum hat das Modell ihm keine Wahrscheinlichkeit gegeben</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>log-probability</source>
        <translation>Log-Wahrscheinlichkeit</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>log-probability %1 nats</source>
        <translation>Log-Wahrscheinlichkeit %1 Nat</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>log-probability %1 nats, probability %2</source>
        <translation>Log-Wahrscheinlichkeit %1 Nat, Wahrscheinlichkeit %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>log-probability = logit − log Σ exp(logits)</source>
        <translation>Log-Wahrscheinlichkeit = Logit − log Σ exp(Logits)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>log-probability, nats</source>
        <translation>Log-Wahrscheinlichkeit, Nats</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>logit %1, probability of the model %2</source>
        <translation>Logit %1, Wahrscheinlichkeit des Modells %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>never sampled: the model's files rule it out</source>
        <translation>nie gezogen: Die Dateien des Modells schließen es aus</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>not the most likely one</source>
        <translation>nicht das wahrscheinlichste</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>probability of the draw</source>
        <translation>Wahrscheinlichkeit beim Ziehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>probability of the model</source>
        <translation>Wahrscheinlichkeit des Modells</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>random number %1</source>
        <translation>Zufallszahl %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>rank %1: %1 tokens were likelier</source>
        <translation>Rang %1: %1 Token waren wahrscheinlicher</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>rank 0: it was the most likely one</source>
        <translation>Rang 0: Es war das wahrscheinlichste</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>rank 1: one token was likelier</source>
        <translation>Rang 1: ein Token war wahrscheinlicher</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>temperature %1</source>
        <translation>Temperatur %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>tokens that were likelier</source>
        <translation>Token, die wahrscheinlicher waren</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>with temperature %1: %2</source>
        <translation>mit Temperatur %1: %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_picture.cpp"/>
        <source>with the temperature</source>
        <translation>mit der Temperatur</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_tour.cpp"/>
        <source>A surprise</source>
        <translation>Eine Überraschung</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_tour.cpp"/>
        <source>Click another token to see what the model would put there. Double-click a bar for a new request with that token in the place; a recorded run takes none.</source>
        <translation>Klicke ein anderes Token an, um zu sehen, was das Modell dort einsetzen würde. Doppelklicke einen Balken für eine neue Anfrage mit diesem Token an der Stelle; ein aufgezeichneter Lauf nimmt keine an.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_tour.cpp"/>
        <source>How the next token is chosen</source>
        <translation>Wie das nächste Token gewählt wird</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_tour.cpp"/>
        <source>Other colours, other texts</source>
        <translation>Andere Farben, andere Texte</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_tour.cpp"/>
        <source>Temperature 0 takes the likeliest token of those that may be taken.</source>
        <translation>Temperatur 0 nimmt das wahrscheinlichste der Token, die genommen werden dürfen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_tour.cpp"/>
        <source>The colours say how likely the tokens of the text were. Token %1 surprised the model most: its log-probability is %2, and %3 tokens were likelier.</source>
        <translation>Die Farben sagen, wie wahrscheinlich die Token des Textes waren. Token %1 überraschte das Modell am meisten: Seine Log-Wahrscheinlichkeit ist %2, und %3 Token waren wahrscheinlicher.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_tour.cpp"/>
        <source>The likeliest token</source>
        <translation>Das wahrscheinlichste Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_tour.cpp"/>
        <source>The likeliest token is %1: the model gives it %2% in this place. An encoder reads later tokens, too, and draws nothing.</source>
        <translation>Das wahrscheinlichste Token ist %1: Das Modell gibt ihm an dieser Stelle %2%. Ein Encoder liest auch spätere Token und zieht nichts.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_tour.cpp"/>
        <source>The likeliest token is %1: the model gives it %2%. Number of tokens that can be drawn: %3. A draw would take the likeliest token with a probability of %4%.</source>
        <translation>Das wahrscheinlichste Token ist %1: Das Modell gibt ihm %2%. Zahl der Token, die gezogen werden können: %3. Ein Zug nähme das wahrscheinlichste Token mit einer Wahrscheinlichkeit von %4%.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_tour.cpp"/>
        <source>The model gives the %1 tokens of its vocabulary probabilities for position %2. The bars show %3 of them, the likeliest first.</source>
        <translation>Das Modell gibt den %1 Token seines Vokabulars Wahrscheinlichkeiten für Position %2. Die Balken zeigen %3 davon, die wahrscheinlichsten zuerst.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_tour.cpp"/>
        <source>The place</source>
        <translation>Die Stelle</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_tour.cpp"/>
        <source>The token that is taken</source>
        <translation>Das Token, das genommen wird</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_tour.cpp"/>
        <source>The token that is taken is %1. No other can be taken here, so chance has no part.</source>
        <translation>Genommen wird das Token %1. Kein anderes kommt hier in Frage, also ist kein Zufall dabei.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_tour.cpp"/>
        <source>The tokens share the strip from 0 to 1 by their probabilities. The random number %1 falls into the part of %2, from %3 to %4.</source>
        <translation>Die Token teilen sich den Streifen von 0 bis 1 nach ihren Wahrscheinlichkeiten. Die Zufallszahl %1 fällt in den Teil von %2, von %3 bis %4.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_tour.cpp"/>
        <source>This switch colours the text by rank, or by log-probability when it is off. Double-click a bar for a new request that goes on with that token; a recorded run takes none.</source>
        <translation>Dieser Schalter färbt den Text nach Rang oder, wenn er aus ist, nach Log-Wahrscheinlichkeit. Doppelklicke einen Balken für eine neue Anfrage, die mit diesem Token weitergeht; ein aufgezeichneter Lauf nimmt keine an.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source> Drawn again by the sampler, %1 of the %2 tokens of the answer are the same.</source>
        <translation> Noch einmal gezogen, sind %1 der %2 Token der Antwort gleich.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>%1, %2 at %3</source>
        <translation>%1, %2 bei %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Begin a new request with this token in this place (not in a recorded run)</source>
        <translation>Eine neue Anfrage mit diesem Token an dieser Stelle beginnen (nicht in einem aufgezeichneten Lauf)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Check: each column of probabilities sums to 1 (%1).</source>
        <translation>Probe: Jede Spalte von Wahrscheinlichkeiten ergibt 1 (%1).</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Choose a bar and press Enter for a new request with that token in this place</source>
        <translation>Einen Balken wählen und Eingabe drücken, für eine neue Anfrage mit diesem Token an dieser Stelle</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Click a bar, Up, Down</source>
        <translation>Auf einen Balken klicken, Auf, Ab</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Click a token, Left, Right</source>
        <translation>Auf ein Token klicken, Links, Rechts</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Colour the text by log-probability or by rank</source>
        <translation>Den Text nach Log-Wahrscheinlichkeit oder nach Rang färben</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Colour the text by rank</source>
        <translation>Den Text nach Rang färben</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Colour the tokens by their log-probabilities</source>
        <translation>Die Token nach ihren Log-Wahrscheinlichkeiten färben</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Colour the tokens by their ranks</source>
        <translation>Die Token nach ihren Rängen färben</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Colour the tokens of the text by their ranks instead of their log-probabilities (C)</source>
        <translation>Die Token des Textes nach ihren Rängen statt nach ihren Log-Wahrscheinlichkeiten färben (C)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Compare the longest bar with the token of the text: the likeliest one is not always drawn.</source>
        <translation>Vergleiche den längsten Balken mit dem Token des Textes: Nicht immer wird das wahrscheinlichste gezogen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Double-click a bar, Enter</source>
        <translation>Doppelklick auf einen Balken, Eingabe</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Explain this token, or the token before or after it; a decoder begins with token 1</source>
        <translation>Dieses Token erklären, oder das davor oder danach; ein Decoder beginnt mit Token 1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Move along the bars</source>
        <translation>Durch die Balken gehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>New request with this token in this place</source>
        <translation>Neue Anfrage mit diesem Token an dieser Stelle</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Next token</source>
        <translation>Nächstes Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Next token › Fork the request…</source>
        <translation>Nächstes Token › Anfrage verzweigen…</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Next token › Log-probability</source>
        <translation>Nächstes Token › Log-Wahrscheinlichkeit</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Next token › Rank</source>
        <translation>Nächstes Token › Rang</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>Show how likely tokens are in a place of the text</source>
        <translation>Zeigen, wie wahrscheinlich Token an einer Stelle des Textes sind</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/next_token/next_token_view.cpp"/>
        <source>The distribution of the next token</source>
        <translation>Die Verteilung des nächsten Tokens</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_data.cpp"/>
        <source>Check: a cell before position %1, the first that differs, changes nothing: residue %2.</source>
        <translation>Probe: Eine Zelle vor Position %1, der ersten, die sich unterscheidet, ändert nichts: Rest %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_data.cpp"/>
        <source>Check: with the embeddings of all clean tokens, or with the last position after the last layer, the corrupted run has the logits of the clean one: residues %1 and %2.</source>
        <translation>Probe: Mit den Embeddings aller sauberen Token oder mit der letzten Position nach der letzten Schicht hat der verfälschte Lauf die Logits des sauberen: Reste %1 und %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_data.cpp"/>
        <source>The clean prompt has %1 tokens and the corrupted one has %2. Both must have equally many: replace a word by one with as many tokens.</source>
        <translation>Der saubere Prompt hat %1 Token und der verfälschte %2. Beide müssen gleich viele haben: Ersetze ein Wort durch eines mit ebenso vielen Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_data.cpp"/>
        <source>The model has no token with the text “%1”, or it is the first token of the pair. Type a word that is one token, or leave the field empty to take the likeliest token.</source>
        <translation>Das Modell hat kein Token mit dem Text „%1“, oder es ist das erste Token des Paares. Gib ein Wort ein, das ein Token ist, oder lass das Feld leer, um das wahrscheinlichste Token zu nehmen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_data.cpp"/>
        <source>The prompts have %1 tokens; at most %2 are computed. Type shorter ones.</source>
        <translation>Die Prompts haben %1 Token; höchstens %2 werden berechnet. Gib kürzere ein.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_data.cpp"/>
        <source>The two prompts are the same. Change at least one word.</source>
        <translation>Die beiden Prompts sind gleich. Ändere mindestens ein Wort.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_data.cpp"/>
        <source>Type a clean prompt and a corrupted one of as many tokens.</source>
        <translation>Gib einen sauberen Prompt ein und einen verfälschten mit ebenso vielen Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>%1 of the clean answer
logit of %2 minus that of %3: %4</source>
        <translation>%1 der sauberen Antwort
Logit von %2 minus der von %3: %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>%1 runs of %2 tokens, one for each cell: %3 are done. Esc cancels.</source>
        <translation>%1 Läufe von %2 Token, einer für jede Zelle: %3 sind fertig. Esc bricht ab.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>1 is the answer of the clean run, 0 that of the corrupted one.</source>
        <translation>1 ist die Antwort des sauberen Laufs, 0 die des verfälschten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Cancelled. Press C, or Compute above, to begin again.</source>
        <translation>Abgebrochen. Drücke C oder oben „Berechnen“, um neu zu beginnen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Choose prompts with different answers, or another pair.</source>
        <translation>Wähle Prompts mit verschiedenen Antworten oder ein anderes Paar.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Clean run, a cell comes from the corrupted run: what does the answer need?</source>
        <translation>Sauberer Lauf, eine Zelle kommt aus dem verfälschten: Was braucht die Antwort?</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Click a cell, or drag a cell of one run to a cell of the other.</source>
        <translation>Klicke eine Zelle an, oder ziehe eine Zelle des einen Laufs auf eine des anderen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Compared: the logit of %1 minus that of %2. This difference is %3 after the clean prompt and %4 after the corrupted one.</source>
        <translation>Verglichen wird der Logit von %1 minus der von %2. Diese Differenz ist %3 nach dem sauberen und %4 nach dem verfälschten Prompt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Corrupted run, a cell comes from the clean run: what brings the answer back?</source>
        <translation>Verfälschter Lauf, eine Zelle kommt aus dem sauberen: Was bringt die Antwort zurück?</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Heads, at all positions</source>
        <translation>Köpfe, an allen Positionen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>How much of the clean answer comes back in the corrupted run when it has %1 of the clean run. 1: all of it; 0: nothing.</source>
        <translation>Wie viel der sauberen Antwort im verfälschten Lauf zurückkommt, wenn man %1 des sauberen Laufs einsetzt. 1: alles; 0: nichts.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>How much of the clean answer is left in the clean run when it has %1 of the corrupted run. 1: all of it; 0: the corrupted answer.</source>
        <translation>Wie viel der sauberen Antwort im sauberen Lauf bleibt, wenn man %1 des verfälschten Laufs einsetzt. 1: alles; 0: die verfälschte Antwort.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Marked: %1. Go to a cell of the other run and press Enter.</source>
        <translation>Du hast %1 markiert. Gehe zu einer Zelle des anderen Laufs und drücke Eingabe.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Not all cells are computed.</source>
        <translation>Nicht alle Zellen sind berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Patching: %1</source>
        <translation>Patching: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Putting %1 of the clean run in the place of %2 of the corrupted run</source>
        <translation>Nimmt man %1 des sauberen Laufs und ersetzt damit %2 des verfälschten Laufs,</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Putting %1 of the clean run into the corrupted run</source>
        <translation>Setzt man %1 des sauberen Laufs in den verfälschten Lauf,</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Putting %1 of the corrupted run in the place of %2 of the clean run</source>
        <translation>Nimmt man %1 des verfälschten Laufs und ersetzt damit %2 des sauberen Laufs,</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Putting %1 of the corrupted run into the clean run</source>
        <translation>Setzt man %1 des verfälschten Laufs in den sauberen Lauf,</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>The clean prompt is followed by %1 (%2), the corrupted one by %3 (%4)</source>
        <translation>Auf den sauberen Prompt folgt %1 (%2), auf den verfälschten %3 (%4)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>The likeliest token is %1 (%2).</source>
        <translation>Das wahrscheinlichste Token ist %1 (%2).</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>The likeliest token is %1 after both prompts, so the cells do not explain which of two answers is given.</source>
        <translation>Nach beiden Prompts ist %1 das wahrscheinlichste Token; die Zellen erklären also nicht, welche von zwei Antworten gegeben wird.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>The probability of %1 goes from %2 to %3, that of %4 from %5 to %6.</source>
        <translation>Die Wahrscheinlichkeit von %1 geht von %2 auf %3, die von %4 von %5 auf %6.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>The two differences are only %1 apart, so even a tiny change can give a share far from 0 and 1.</source>
        <translation>Die beiden Differenzen liegen nur %1 auseinander; darum kann schon eine winzige Änderung einen Anteil weit von 0 und 1 ergeben.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>There is nothing to compare yet</source>
        <translation>Noch gibt es nichts zu vergleichen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Tokens of the clean prompt</source>
        <translation>Token des sauberen Prompts</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Tokens of the corrupted prompt</source>
        <translation>Token des verfälschten Prompts</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>Two prompts of equal length</source>
        <translation>Zwei gleich lange Prompts</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>brings %1 of the clean answer back.</source>
        <translation>so kommen %1 der sauberen Antwort zurück.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>clean answer</source>
        <translation>saubere Antwort</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>clean run, with %1 of the corrupted run</source>
        <translation>sauberer Lauf; man setzt %1 des verfälschten Laufs ein</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>corrupted run, with %1 of the clean run</source>
        <translation>verfälschter Lauf; man setzt %1 des sauberen Laufs ein</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>d is the logit of %1 minus that of %2 at the last position. The patched run is a run of the whole model with this one change.</source>
        <translation>d ist der Logit von %1 minus der von %2 an der letzten Position. Der gepatchte Lauf ist ein Lauf des ganzen Modells mit dieser einen Änderung.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>d of the clean run</source>
        <translation>d des sauberen Laufs</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>d of the corrupted run</source>
        <translation>d des verfälschten Laufs</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>d of the patched run</source>
        <translation>d des gepatchten Laufs</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>moves the run away from the answer of the other run, by %1 of the difference between the two.</source>
        <translation>so bewegt das den Lauf von der Antwort des anderen weg, um %1 des Unterschieds zwischen beiden.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>share = (d − d_corrupted) ÷ (d_clean − d_corrupted)</source>
        <translation>Anteil = (d − d_verfälscht) ÷ (d_sauber − d_verfälscht)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>share of the clean answer</source>
        <translation>Anteil der sauberen Antwort</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>takes %1 of the clean answer away.</source>
        <translation>so gehen %1 der sauberen Antwort verloren.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>the output of head %1.%2 at all positions</source>
        <translation>die Ausgabe von Kopf %1.%2 an allen Positionen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_picture.cpp"/>
        <source>the state after layer %1 at %2 (position %3)</source>
        <translation>den Zustand nach Schicht %1 bei %2 (Position %3)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_prompts.cpp"/>
        <source>Clean</source>
        <translation>Sauber</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_prompts.cpp"/>
        <source>Clean prompt</source>
        <translation>Sauberer Prompt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_prompts.cpp"/>
        <source>Corrupted</source>
        <translation>Verfälscht</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_prompts.cpp"/>
        <source>Corrupted prompt</source>
        <translation>Verfälschter Prompt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_prompts.cpp"/>
        <source>Pair</source>
        <translation>Paar</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_prompts.cpp"/>
        <source>The clean prompt with a word replaced by another of as many tokens</source>
        <translation>Der saubere Prompt, in dem ein Wort durch ein anderes mit ebenso vielen Token ersetzt ist</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_prompts.cpp"/>
        <source>The first token of the pair whose logits are compared; empty: the likeliest token after the clean prompt</source>
        <translation>Das erste Token des Paares, dessen Logits verglichen werden; leer: das wahrscheinlichste Token nach dem sauberen Prompt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_prompts.cpp"/>
        <source>The prompt whose answer is to be explained</source>
        <translation>Der Prompt, dessen Antwort erklärt werden soll</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_prompts.cpp"/>
        <source>The second token of the pair; empty: the likeliest token after the corrupted prompt or, if that is the first token of the pair, the likeliest other one after the clean prompt</source>
        <translation>Das zweite Token des Paares; leer: das wahrscheinlichste Token nach dem verfälschten Prompt oder, wenn das schon das erste Token des Paares ist, das wahrscheinlichste andere nach dem sauberen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_prompts.cpp"/>
        <source>Token of the clean answer</source>
        <translation>Token der sauberen Antwort</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_prompts.cpp"/>
        <source>Token of the corrupted answer</source>
        <translation>Token der verfälschten Antwort</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_prompts.cpp"/>
        <source>and</source>
        <translation>und</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_prompts.cpp"/>
        <source>likeliest</source>
        <translation>das beste</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_tour.cpp"/>
        <source>After the clean prompt the model gives %1 a probability of %2%, after the corrupted one %3%. A cell below is a run of one prompt with one state, or the output of one head, from the run of the other.</source>
        <translation>Nach dem sauberen Prompt gibt das Modell %1 eine Wahrscheinlichkeit von %2%, nach dem verfälschten %3%. Eine Zelle unten ist ein Lauf mit einem der Prompts, mit einem Zustand oder der Ausgabe eines Kopfes aus dem Lauf des anderen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_tour.cpp"/>
        <source>At the last position the value reaches %1 after layer %2, the first with a half or more.</source>
        <translation>An der letzten Position erreicht der Wert %1 nach Schicht %2, der ersten mit der Hälfte oder mehr.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_tour.cpp"/>
        <source>Both have %1 tokens. Different ones: %2, the first at position %3. Type other prompts here: they must have equally many tokens.</source>
        <translation>Beide haben %1 Token. Verschiedene: %2, das erste an Position %3. Schreibe hier andere Prompts: Sie müssen gleich viele Token haben.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_tour.cpp"/>
        <source>Here the corrupted prompt was run with the state after layer 0 at position %1 of the clean run. The value is %2: 1 is the clean answer, 0 the corrupted one.</source>
        <translation>Hier lief der verfälschte Prompt mit dem Zustand nach Schicht 0 an Position %1 aus dem sauberen Lauf. Der Wert ist %2: 1 ist die saubere Antwort, 0 die verfälschte.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_tour.cpp"/>
        <source>Nothing is computed yet. Press Compute above, or the key C.</source>
        <translation>Es ist noch nichts berechnet. Drücke oben auf Berechnen oder die Taste C.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_tour.cpp"/>
        <source>One cell, one run</source>
        <translation>Eine Zelle, ein Lauf</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_tour.cpp"/>
        <source>The head that brings back most</source>
        <translation>Der Kopf, der am meisten zurückbringt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_tour.cpp"/>
        <source>The runs are being computed. The tour begins when they are done.</source>
        <translation>Die Läufe werden berechnet. Die Führung beginnt, wenn sie fertig sind.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_tour.cpp"/>
        <source>Two prompts</source>
        <translation>Zwei Prompts</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_tour.cpp"/>
        <source>Where it has moved to</source>
        <translation>Wohin sie gewandert ist</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_tour.cpp"/>
        <source>Which states carry the answer</source>
        <translation>Welche Zustände die Antwort tragen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_tour.cpp"/>
        <source>With the output of head %1 of layer %2 taken from the clean run the value is %3. No other head alone brings back more.</source>
        <translation>Mit der Ausgabe von Kopf %1 der Schicht %2 aus dem sauberen Lauf ist der Wert %3. Kein anderer Kopf allein bringt mehr zurück.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>%1 runs of %2 tokens in %3.</source>
        <translation>%1 Läufe von %2 Token in %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Both cells are of one run. Drag to a cell of the other run.</source>
        <translation>Beide Zellen gehören zu einem Lauf. Ziehe auf eine Zelle des anderen Laufs.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Cancel the runs that are left (Esc)</source>
        <translation>Die übrigen Läufe abbrechen (Esc)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Cancel the runs; if none go on, remove mark and patch</source>
        <translation>Die Läufe abbrechen; wenn keine laufen, Markierung und Patch entfernen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Click a cell, arrow keys and Enter</source>
        <translation>Klick auf eine Zelle, Pfeiltasten und Eingabe</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Compute</source>
        <translation>Berechnen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Compute the grids of these prompts (C)</source>
        <translation>Die Gitter dieser Prompts berechnen (C)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Compute the grids, or cancel</source>
        <translation>Die Gitter berechnen oder abbrechen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Drag a cell to one of the other run</source>
        <translation>Eine Zelle auf eine des anderen Laufs ziehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Each cell of the grids takes a run of the whole model, and the run of the scenario waits meanwhile. Press C, or Compute above, to begin.</source>
        <translation>Jede Zelle der Gitter braucht einen Lauf des ganzen Modells, und der Lauf des Szenarios wartet so lange. Drücke C oder oben „Berechnen“, um zu beginnen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Go to the prompts and the pair of tokens; Enter after a change computes</source>
        <translation>Zu den Prompts und dem Paar von Token gehen; Enter nach einer Änderung rechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>In the lower left grid follow the orange cells from the word that differs to the last position.</source>
        <translation>Folge im Gitter unten links den orangen Zellen vom Wort, das sich unterscheidet, bis zur letzten Position.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>M, then Enter at another cell</source>
        <translation>M, dann Eingabe bei einer anderen Zelle</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>No run has begun. Patching needs the run of a model in which each position reads itself and those before it.</source>
        <translation>Kein Lauf hat begonnen. Patching braucht den Lauf eines Modells, in dem jede Position sich selbst und die davor liest.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <location filename="../../gui/views/explore/patching/patching_view.h"/>
        <source>Patching</source>
        <translation>Patching</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Patching changes states of a model; this run has no model.</source>
        <translation>Patching ändert Zustände eines Modells; dieser Lauf hat kein Modell.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Patching in %1</source>
        <translation>Patching in %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Patching needs a model in which each position reads itself and those before it. This run has attention of another type.</source>
        <translation>Patching braucht ein Modell, in dem jede Position sich selbst und die vor ihr liest. Dieser Lauf hat eine Attention anderer Art.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Point at a cell</source>
        <translation>Auf eine Zelle zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Put states of one prompt into the run of another</source>
        <translation>Zustände des einen Prompts in den Lauf des anderen setzen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Put the first cell in the place of the second</source>
        <translation>Die erste Zelle an die Stelle der zweiten setzen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>Put the same cell of the other run in the place of this one</source>
        <translation>Dieselbe Zelle des anderen Laufs an die Stelle dieser setzen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Tab</source>
        <translation>Tabulator</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>The output of a head is only put in the place of the same head.</source>
        <translation>Die Ausgabe eines Kopfes kommt nur an die Stelle desselben Kopfes.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>The runs for the cells begin between two steps of the engine; a run that is paused inside a step has to end it first.</source>
        <translation>Die Läufe für die Zellen beginnen zwischen zwei Schritten der Engine; ein Lauf, der in einem Schritt angehalten ist, muss ihn erst beenden.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>The same by keyboard: mark, move, patch</source>
        <translation>Dasselbe mit der Tastatur: markieren, bewegen, ersetzen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>The share of the cell; for the state of a position also what this state can change</source>
        <translation>Der Anteil der Zelle; beim Zustand einer Position auch, was dieser Zustand ändern kann</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>The state of a position and the output of a head cannot take each other's place. Drag to a cell of the same kind in the other run.</source>
        <translation>Der Zustand einer Position und die Ausgabe eines Kopfes können einander nicht ersetzen. Ziehe auf eine Zelle derselben Art im anderen Lauf.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/patching/patching_view.cpp"/>
        <source>there is no picture yet: the runs have not been computed</source>
        <translation>es gibt noch kein Bild: die Läufe sind noch nicht berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source> The weights of the first token are left out before that.</source>
        <translation> Die Gewichte des ersten Tokens werden davor weggelassen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>%1 after layer %2:
%3 of its attention leads to %4</source>
        <translation>%1 nach Schicht %2:
%3 seiner Attention führt zu %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>%1 after layer %2:
masked: %3 comes later</source>
        <translation>%1 nach Schicht %2:
maskiert: %3 kommt später</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>, without the first token</source>
        <translation>, ohne das erste Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>A is the mean of the weights of all heads of layer %1, each row brought to a sum of 1.</source>
        <translation>A ist das Mittel der Gewichte aller Köpfe von Schicht %1, jede Zeile auf die Summe 1 gebracht.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>How much of the attention of %1 leads to %2 through the layers up to this one.</source>
        <translation>Wie viel der Attention von %1 durch die Schichten bis zu dieser zu %2 führt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>In a causal model much of it can end at the first token, which reads only itself.</source>
        <translation>In einem kausalen Modell kann viel davon beim ersten Token enden, das nur sich selbst liest.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>Masked: %1 comes after %2, and no layer lets a position read a later one.</source>
        <translation>Maskiert: %1 kommt nach %2, und in keiner Schicht liest eine Position eine spätere.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>R = ½ A R' + ½ R', A: mean of the heads, R': one layer before</source>
        <translation>R = ½ A R' + ½ R', A: Mittel der Köpfe, R': eine Schicht davor</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>Rollout multiplies the mean weights of the layers, each mixed half and half with the token itself. It leaves out values, MLPs and norms.</source>
        <translation>Rollout multipliziert die mittleren Gewichte der Schichten, jeweils halb und halb gemischt mit dem Token selbst. Values, MLPs und Normen lässt es weg.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>Rollout: layers 0 to %1</source>
        <translation>Rollout: Schichten 0 bis %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>Show the rollout up to layer %1</source>
        <translation>Den Rollout bis Schicht %1 zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>Where the attention of each position leads through layers 0 to %1</source>
        <translation>Wohin die Attention jeder Position durch die Schichten 0 bis %1 führt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>one layer before</source>
        <translation>eine Schicht davor</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>position %1 %2</source>
        <translation>Position %1 %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>rollout</source>
        <translation>Rollout</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>up to layer %1</source>
        <translation>bis Schicht %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_picture.cpp"/>
        <source>½ × %1 (through attention) + ½ × %2 (past it) = %3</source>
        <translation>½ × %1 (durch Attention) + ½ × %2 (an ihr vorbei) = %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_tour.cpp"/>
        <source>%1% of position %2 comes from itself: each layer keeps at least half of what was there.</source>
        <translation>%1% von Position %2 kommen von ihr selbst: Jede Schicht behält mindestens die Hälfte von dem, was da war.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_tour.cpp"/>
        <source>And the token itself</source>
        <translation>Und das Token selbst</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_tour.cpp"/>
        <source>Attention through all layers</source>
        <translation>Attention durch alle Schichten</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_tour.cpp"/>
        <source>Here the mean weights of the heads in the layers 0 to %1 are multiplied, each mixed half and half with the token itself. A cell says how much the position of its row, one of %2, gets from the position of its column.</source>
        <translation>Hier sind die mittleren Gewichte der Köpfe in den Schichten 0 bis %1 multipliziert, jede Schicht halb und halb mit dem Token selbst gemischt. Eine Zelle sagt, wie viel die Position ihrer Zeile, eine von %2, von der Position ihrer Spalte bekommt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_tour.cpp"/>
        <source>Layer after layer</source>
        <translation>Schicht um Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_tour.cpp"/>
        <source>Position %1 %2 gets %3% from position 0. In a causal model position 0 reads only itself, so what has come to it stays there.</source>
        <translation>Position %1 %2 bekommt %3% von Position 0. In einem kausalen Modell liest Position 0 nur sich selbst, also bleibt, was bei ihr angekommen ist, dort.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_tour.cpp"/>
        <source>The first token collects</source>
        <translation>Das erste Token sammelt</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_tour.cpp"/>
        <source>The small pictures are the products up to each of the %1 layers. Click one to see it in large; now it is layer %2.</source>
        <translation>Die kleinen Bilder sind die Produkte bis zu jeder der %1 Schichten. Klicke eines an, um es groß zu sehen; jetzt ist es Schicht %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_tour.cpp"/>
        <source>This switch leaves out what is read of the first token.</source>
        <translation>Dieser Schalter lässt weg, was vom ersten Token gelesen wird.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_tour.cpp"/>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>Without the first token</source>
        <translation>Ohne das erste Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>Check: every row of every layer adds up to 1: %1.</source>
        <translation>Probe: Jede Zeile jeder Schicht ergibt zusammen 1: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>Click a small picture</source>
        <translation>Ein kleines Bild anklicken</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>Here tokens read later ones, so the rollout needs the whole text; at most %1 tokens are computed.</source>
        <translation>Hier lesen Token auch spätere, darum braucht der Rollout den ganzen Text; höchstens %1 Token werden berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>Leave out what is read of the first token</source>
        <translation>Weglassen, was vom ersten Token gelesen wird</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>Leave out what is read of the first token, and scale the rest of a row to a sum of 1 (W)</source>
        <translation>Weglassen, was vom ersten Token gelesen wird, und den Rest einer Zeile auf die Summe 1 bringen (W)</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>Rollout</source>
        <translation>Rollout</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>Rollout is not defined for cross attention: its keys are other tokens than its queries.</source>
        <translation>Rollout ist für Cross-Attention nicht definiert: Ihre Keys sind andere Token als ihre Queries.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>Rollout › Without the first token</source>
        <translation>Rollout › Ohne das erste Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>See how much ends at the first token, and what is left without it.</source>
        <translation>Sieh, wie viel beim ersten Token endet und was ohne es bleibt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>Select the token of this row</source>
        <translation>Das Token dieser Zeile auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>Show the rollout up to this layer</source>
        <translation>Den Rollout bis zu dieser Schicht zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>Show the weights of all layers multiplied</source>
        <translation>Die Gewichte aller Schichten multipliziert zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>The first %1 of %2 positions are shown.</source>
        <translation>Die ersten %1 von %2 Positionen werden gezeigt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>The weights of all layers, multiplied</source>
        <translation>Die Gewichte aller Schichten, multipliziert</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>Without first</source>
        <translation>Ohne erstes</translation>
    </message>
    <message>
        <location filename="../../gui/views/explore/rollout/rollout_view.cpp"/>
        <source>Without the first token, or with it</source>
        <translation>Ohne das erste Token oder mit ihm</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>%1 others</source>
        <translation>%1 andere</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>1 other</source>
        <translation>1 anderer</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>From the score to the output</source>
        <translation>Vom Score zur Ausgabe</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>Score, exp, weight, times V, sum</source>
        <translation>Score, exp, Gewicht, mal V, Summe</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>The row has %1 keys. Sums are shown only for rows of up to %2 keys.</source>
        <translation>Die Zeile hat %1 Keys. Summen werden nur für Zeilen mit bis zu %2 Keys gezeigt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>The values are not in the session file: an earlier version of the program saved it.</source>
        <translation>Die Values stehen nicht in der Sitzungsdatei: Eine frühere Version des Programms hat sie gespeichert.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>Vectors</source>
        <translation>Vektoren</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>d = %1 = %2</source>
        <translation>d = %1 = %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>exp</source>
        <translation>exp</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>exp is exp(score − m), weight is exp ÷ the sum of the column exp, and × v[0] is the weight times dimension 0 of the key's value. The sum of the last column is dimension 0 of the row's output.</source>
        <translation>exp ist exp(Score − m), Gewicht ist exp ÷ die Summe der Spalte exp, und × v[0] ist das Gewicht mal Dimension 0 des Values des Keys. Die Summe der letzten Spalte ist Dimension 0 der Ausgabe der Zeile.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>exp(score − m) = exp(%1 − %2) = %3</source>
        <translation>exp(Score − m) = exp(%1 − %2) = %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>k of this token</source>
        <translation>k dieses Tokens</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>m = largest score of the row = %1</source>
        <translation>m = größter Score der Zeile = %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>output = Σ weight × v, keys %1..%2</source>
        <translation>Ausgabe = Σ Gewicht × v, Keys %1..%2</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>output of its row: Σ weight × v</source>
        <translation>Ausgabe seiner Zeile: Σ Gewicht × v</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>output of the row: Σ weight × v</source>
        <translation>Ausgabe der Zeile: Σ Gewicht × v</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>output[0] = %1, of which %2 × %3 = %4 from this key</source>
        <translation>Ausgabe[0] = %1, davon %2 × %3 = %4 von diesem Key</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>q</source>
        <translation>q</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>q of this token</source>
        <translation>q dieses Tokens</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>q × k by dimension; their sum is q·k</source>
        <translation>q × k nach Dimension; ihre Summe ist q·k</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>sink</source>
        <translation>Senke</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>v</source>
        <translation>v</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>v of this token</source>
        <translation>v dieses Tokens</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>weight = exp(score − m) ÷ d = %1 ÷ %2 = %3</source>
        <translation>Gewicht = exp(Score − m) ÷ d = %1 ÷ %2 = %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>weight × v</source>
        <translation>Gewicht × v</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <source>× v[0]</source>
        <translation>× v[0]</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>Σ exp(score − m)</source>
        <translation>Σ exp(Score − m)</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_chain.cpp"/>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>Σ exp(score − m) + exp(sink − m)</source>
        <translation>Σ exp(Score − m) + exp(Senke − m)</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source> + bias</source>
        <translation> + Bias</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>%1 (0..%2)</source>
        <translation>%1 (0..%2)</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>%1 (number %2 in the table of the encoder's tokens)</source>
        <translation>%1 (Nummer %2 in der Tabelle der Encoder-Token)</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>%1 (number %2 in the table of the sequence)</source>
        <translation>%1 (Nummer %2 in der Tabelle der Sequenz)</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>%1 = %2 × %3 + %4</source>
        <translation>%1 = %2 × %3 + %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>%1 in the table of the encoder's tokens</source>
        <translation>%1 in der Tabelle der Encoder-Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>%1 in the table of the sequence</source>
        <translation>%1 in der Tabelle der Sequenz</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>%1 of %2 numbers in KV head %3 of this layer (%4 became 0); %5 of %6 in all heads of all layers</source>
        <translation>%1 von %2 Zahlen im KV-Kopf %3 dieser Schicht (%4 wurden 0); %5 von %6 in allen Köpfen aller Schichten</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>%1 of %2 slots</source>
        <translation>%1 von %2 Slots</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>%1 of %2, together %3</source>
        <translation>%1 von %2, zusammen %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>%1, but with ALiBi this backend ignores it in this prompt</source>
        <translation>%1, aber mit ALiBi lässt dieses Backend es in diesem Prompt außer Acht</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>%1, shared by %2 heads</source>
        <translation>%1, geteilt von %2 Köpfen</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>%1, takes %2 of the row</source>
        <translation>%1, nimmt %2 der Zeile</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>%1: an additional logit in the row's softmax</source>
        <translation>%1: ein zusätzlicher Logit in der Softmax der Zeile</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>%1: query %2 sees keys from %3 on</source>
        <translation>%1: Query %2 sieht Keys ab %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>%1: the model's number for this head and the distance key − query = %2</source>
        <translation>%1: die Zahl des Modells für diesen Kopf und den Abstand Key − Query = %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>, masked</source>
        <translation>, maskiert</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>, visible</source>
        <translation>, sichtbar</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>0, if its row is computed</source>
        <translation>0, wenn seine Zeile berechnet ist</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>ALiBi: %1 × (%2 − %3)</source>
        <translation>ALiBi: %1 × (%2 − %3)</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Allocated; nothing has been written.</source>
        <translation>Vergeben; es wurde noch nichts geschrieben.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Block tables name this block in place of blocks that left the sliding window; no request gets it.</source>
        <translation>Blocktabellen nennen diesen Block anstelle von Blöcken, die das gleitende Fenster verlassen haben; keine Anfrage bekommt ihn.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Cell: query %1 reads key %2</source>
        <translation>Zelle: Query %1 liest Key %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Cell: query %1, key %2</source>
        <translation>Zelle: Query %1, Key %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Click a cell, a token, a block or a span to see its numbers here.</source>
        <translation>Klick auf eine Zelle, ein Token, einen Block oder einen Balken, um die Zahlen hier zu sehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>How it is computed</source>
        <translation>Wie es berechnet wird</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>How the weight is computed</source>
        <translation>Wie das Gewicht berechnet wird</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Is read most by</source>
        <translation>Wird am meisten gelesen von</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Layer %1 is one of the encoder: its queries and keys are the encoder's tokens, so this token neither reads nor is read there.</source>
        <translation>Schicht %1 gehört zum Encoder: Ihre Queries und Keys sind die Token des Encoders, also liest dieses Token dort nicht und wird dort nicht gelesen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Masked: %1. The score counts as −∞, so the weight is 0.</source>
        <translation>Maskiert: %1. Der Score zählt als −∞, darum ist das Gewicht 0.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>No later token has been computed.</source>
        <translation>Kein späteres Token wurde berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>No request holds this block, and what is left in it is not read.</source>
        <translation>Keine Anfrage hält diesen Block, und was noch darin ist, wird nicht gelesen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>No request holds this block. A prompt with the same tokens up to the block's end can use its content again, until the block is needed for other tokens.</source>
        <translation>Keine Anfrage hält diesen Block. Ein Prompt mit denselben Token bis zum Ende des Blocks kann seinen Inhalt wieder benutzen, bis der Block für andere Token gebraucht wird.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Not computed at step %1.</source>
        <translation>Bei Schritt %1 nicht berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Not computed.</source>
        <translation>Nicht berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Not computed. The numbers appear if a kernel computes this row.</source>
        <translation>Nicht berechnet. Die Zahlen erscheinen, wenn ein Kernel diese Zeile berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Not computed: the request has not been scheduled.</source>
        <translation>Nicht berechnet: Die Anfrage ist nicht eingeplant.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Not computed: the token is %1.</source>
        <translation>Nicht berechnet: Das Token ist %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Reads most (layer %1, head %2)</source>
        <translation>Liest am meisten (Schicht %1, Kopf %2)</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Saturated numbers are counted up to the newest step.</source>
        <translation>Gesättigte Zahlen sind bis zum neuesten Schritt gezählt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>The key is in no cache, because an encoder needs its keys for one step only. The numbers come from the copy that the program keeps.</source>
        <translation>Der Key ist in keinem Cache, weil ein Encoder seine Keys nur für einen Schritt braucht. Die Zahlen kommen aus der Kopie, die das Programm aufhebt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>The request holds no block of the cache with this key now. The numbers come from the copy that the program keeps.</source>
        <translation>Die Anfrage hält jetzt keinen Block des Caches mit diesem Key. Die Zahlen kommen aus der Kopie, die das Programm aufhebt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>The selected block is not part of this run.</source>
        <translation>Der ausgewählte Block gehört nicht zu diesem Lauf.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>The selected cell is not part of this run.</source>
        <translation>Die ausgewählte Zelle gehört nicht zu diesem Lauf.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>The selected span had not begun at step %1.</source>
        <translation>Der ausgewählte Balken hatte bei Schritt %1 noch nicht begonnen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>The selected span is not part of this run.</source>
        <translation>Der ausgewählte Balken gehört nicht zu diesem Lauf.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>The selected token is not part of this run.</source>
        <translation>Das ausgewählte Token gehört nicht zu diesem Lauf.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Token %1</source>
        <translation>Token %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Tokens in it</source>
        <translation>Token darin</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Where it comes from</source>
        <translation>Woher es kommt</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>Where the key lies</source>
        <translation>Wo der Key liegt</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>bias</source>
        <translation>Bias</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>bias = bias[key − query] = bias[%1 − %2] = %3</source>
        <translation>Bias = Bias[Key − Query] = Bias[%1 − %2] = %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>bias = slope × (key − query) = %1 × (%2 − %3) = %4</source>
        <translation>Bias = Steigung × (Key − Query) = %1 × (%2 − %3) = %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>by query %1, with weight %2 on the block's tokens together (layer %3, head %4)</source>
        <translation>von Query %1 mit Gewicht %2 auf den Token des Blocks zusammen (Schicht %3, Kopf %4)</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>cache dtype</source>
        <translation>Cache-Typ</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>cached</source>
        <translation>gecacht</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>capped</source>
        <translation>gekappt</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>capped = cap × tanh(scale × q·k ÷ cap) = %1 × tanh(%2 ÷ %1) = %3</source>
        <translation>gekappt = Cap × tanh(Skala × q·k ÷ Cap) = %1 × tanh(%2 ÷ %1) = %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>comes from</source>
        <translation>kommt von</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>encoder layer</source>
        <translation>Encoder-Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>f32 (auto)</source>
        <translation>f32 (auto)</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>filled</source>
        <translation>gefüllt</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>given back: it left the sliding window</source>
        <translation>zurückgegeben: hat das gleitende Fenster verlassen</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>host block %1</source>
        <translation>ausgelagerter Block %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>id</source>
        <translation>ID</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>is read</source>
        <translation>wird gelesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>key (encoder)</source>
        <translation>Key (Encoder)</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>last read</source>
        <translation>zuletzt gelesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>last written</source>
        <translation>zuletzt geschrieben</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>log (Σ exp(score) + exp(sink))</source>
        <translation>log (Σ exp(Score) + exp(Senke))</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>log Σ exp(score)</source>
        <translation>log Σ exp(Score)</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>lse</source>
        <translation>lse</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>lse = %1 = %2</source>
        <translation>lse = %1 = %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>lse = %1, keys %2..%3 = %4</source>
        <translation>lse = %1, Keys %2..%3 = %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>mask</source>
        <translation>Maske</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>none now</source>
        <translation>jetzt keiner</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>none: an encoder keeps no cache</source>
        <translation>keiner: Ein Encoder hat keinen Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>none: the blocks hold the keys of the encoder</source>
        <translation>keiner: Die Blöcke halten die Keys des Encoders</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>none: the request has ended</source>
        <translation>keiner: Die Anfrage ist zu Ende</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>null block</source>
        <translation>Nullblock</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>owner</source>
        <translation>Besitzer</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>query (encoder)</source>
        <translation>Query (Encoder)</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>q·k = %1</source>
        <translation>q·k = %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>references</source>
        <translation>Verweise</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>saturated keys</source>
        <translation>gesättigte Keys</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>saturated values</source>
        <translation>gesättigte Values</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>scale = %1</source>
        <translation>Skala = %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>scale = 1/√%1 = %2</source>
        <translation>Skala = 1/√%1 = %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>scale × q·k</source>
        <translation>Skala × q·k</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>score = %1 = %2</source>
        <translation>Score = %1 = %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/step/step_canvas.cpp"/>
        <source>slot</source>
        <translation>Slot</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>slot %1, position %2</source>
        <translation>Slot %1, Position %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>slots</source>
        <translation>Slots</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>soft cap</source>
        <translation>Soft Cap</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>swapped out</source>
        <translation>ausgelagert</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>taken</source>
        <translation>vergeben</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>the prompt</source>
        <translation>dem Prompt</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>these</source>
        <translation>diesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>weight = exp(score − lse) = exp(%1) = %2</source>
        <translation>Gewicht = exp(Score − lse) = exp(%1) = %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>weight of the sink = exp(sink − lse) = exp(%1 − %2) = %3</source>
        <translation>Gewicht der Senke = exp(Senke − lse) = exp(%1 − %2) = %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>what was generated</source>
        <translation>dem Erzeugten</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_content.cpp"/>
        <source>window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_free_block.cpp"/>
        <source>%1 times</source>
        <translation>%1-mal</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_free_block.cpp"/>
        <source>freed</source>
        <translation>freigegeben</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_free_block.cpp"/>
        <source>last owner</source>
        <translation>letzter Besitzer</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_free_block.cpp"/>
        <source>once</source>
        <translation>einmal</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_free_block.cpp"/>
        <source>taken so far</source>
        <translation>bisher vergeben</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_page.cpp"/>
        <source>%1 NaN or infinite</source>
        <translation>%1 NaN oder unendlich</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>%1 are free now</source>
        <translation>%1 sind jetzt frei</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>%1 computed tokens</source>
        <translation>%1 berechnete Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>%1 stay cached until their room is needed</source>
        <translation>%1 bleiben im Cache, bis ihr Platz gebraucht wird</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>%1 stay with the requests that share them</source>
        <translation>%1 bleiben bei den Anfragen, die sie mitbenutzen</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>1 computed token</source>
        <translation>1 berechnetes Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>1 is free now</source>
        <translation>1 ist jetzt frei</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>1 stays cached until its room is needed</source>
        <translation>1 bleibt im Cache, bis sein Platz gebraucht wird</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>1 stays with the requests that share it</source>
        <translation>1 bleibt bei den Anfragen, die ihn mitbenutzen</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>It gives back %1: %2.</source>
        <translation>Sie gibt %1 zurück: %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>Request %1 needed more blocks than were free.</source>
        <translation>Anfrage %1 brauchte mehr Blöcke, als frei waren.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>The content of its blocks (%1, %2) was moved to the swap pool. When the cache has room, the content comes back and the request goes on.</source>
        <translation>Der Inhalt ihrer Blöcke (%1, %2) wurde ausgelagert. Wenn der Cache Platz hat, kommt der Inhalt zurück, und die Anfrage geht weiter.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>The request could not be swapped out: it held %1, and %2 of the %3 blocks of the swap pool were free.</source>
        <translation>Die Anfrage konnte nicht ausgelagert werden: Sie hielt %1, und %2 der %3 Blöcke des Auslagerungsspeichers waren frei.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>The request could not be swapped out: the backend %1 cannot swap.</source>
        <translation>Die Anfrage konnte nicht ausgelagert werden: Das Backend %1 kann nicht auslagern.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>The request could not be swapped out: the beams of its search held %1 together, and %2 of the %3 blocks of the swap pool were free.</source>
        <translation>Die Anfrage konnte nicht ausgelagert werden: Die Beams ihrer Suche hielten zusammen %1, und %2 der %3 Blöcke des Auslagerungsspeichers waren frei.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>The request itself needed more blocks than were free.</source>
        <translation>Die Anfrage selbst brauchte mehr Blöcke, als frei waren.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>The running request that comes last in the order of priority, arrival and sample gives its blocks back; if it is a beam, the beams of its search do.</source>
        <translation>Die laufende Anfrage, die nach Vorrang, Ankunft und Sample zuletzt kommt, gibt ihre Blöcke zurück; ist sie ein Beam, tun es die Beams ihrer Suche.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>When the cache has room for the whole request, its %1 are computed again, except those whose blocks the prefix cache still has then.</source>
        <translation>Wenn der Cache Platz für die ganze Anfrage hat, wird neu berechnet, was sie hatte (%1), außer dem, dessen Blöcke der Präfix-Cache dann noch hat.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>When the cache has room for the whole request, its %1 are computed again.</source>
        <translation>Wenn der Cache Platz für die ganze Anfrage hat, wird neu berechnet, was sie hatte (%1).</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_preemption.cpp"/>
        <source>Why it was preempted</source>
        <translation>Warum sie verdrängt wurde</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>%1 nats</source>
        <translation>%1 Nat</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>%1 nats, %2% of log %3</source>
        <translation>%1 Nat, %2% von log %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>How its row is computed</source>
        <translation>Wie seine Zeile berechnet wird</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>blocks read</source>
        <translation>gelesene Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>cap × tanh(%1 ÷ cap)</source>
        <translation>Cap × tanh(%1 ÷ Cap)</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>freed when the request ended</source>
        <translation>freigegeben, als die Anfrage endete</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>lse = m + log d = %1</source>
        <translation>lse = m + log d = %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>m = largest score = %1, key %2</source>
        <translation>m = größter Score = %1, Key %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>m and d are those of the whole row; the view Tiles can show them tile by tile.</source>
        <translation>m und d sind die der ganzen Zeile; die Ansicht Kacheln kann sie Kachel für Kachel zeigen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>scale × q·K</source>
        <translation>Skala × q·K</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_row.cpp"/>
        <source>weights = softmax(%1), keys %2..%3</source>
        <translation>Gewichte = Softmax(%1), Keys %2..%3</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>%1, of them %2 not masked</source>
        <translation>%1, davon %2 nicht maskiert</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>Began with</source>
        <translation>Begann mit</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>Modelled time of the attention of all layers in this step, in bf16. It follows from published figures of the device.</source>
        <translation>Modellierte Zeit der Attention aller Schichten in diesem Schritt, in bf16. Sie folgt aus veröffentlichten Zahlen des Geräts.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>Modelled, not measured</source>
        <translation>Modelliert, nicht gemessen</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>What it covers</source>
        <translation>Was sie bedeckt</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>begin</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>captured plan of %1 rows, used again</source>
        <translation>aufgezeichneter Plan mit %1 Zeilen, wieder benutzt</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>cells</source>
        <translation>Zellen</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>computed for this step</source>
        <translation>für diesen Schritt berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <location filename="../../gui/views/step/step_painter.cpp"/>
        <location filename="../../gui/views/timeline/timeline_model.cpp"/>
        <source>decode</source>
        <translation>Decode</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>end</source>
        <translation>Ende</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>ended</source>
        <translation>beendet</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>logical blocks</source>
        <translation>logische Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <location filename="../../gui/views/timeline/timeline_model.cpp"/>
        <source>preempted</source>
        <translation>verdrängt</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <location filename="../../gui/views/step/step_painter.cpp"/>
        <location filename="../../gui/views/timeline/timeline_model.cpp"/>
        <source>prefill</source>
        <translation>Prefill</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <location filename="../../gui/views/timeline/timeline_model.cpp"/>
        <source>queued</source>
        <translation>eingereiht</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>so far</source>
        <translation>bisher</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>tokens computed</source>
        <translation>berechnete Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_span.cpp"/>
        <source>tokens sampled</source>
        <translation>gezogene Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>%1 ×</source>
        <translation>%1 ×</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>%1, %2 %</source>
        <translation>%1, %2 %</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>, per token %1</source>
        <translation>, pro Token %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>A decode token: the time of %1, divided by their tokens.</source>
        <translation>Ein Decode-Token: die Zeit von %1, geteilt durch ihre Tokens.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>A prefill token: the time of %1, divided by their tokens.</source>
        <translation>Ein Prefill-Token: die Zeit von %1, geteilt durch ihre Tokens.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>Counted: all keys of the sequence, also masked ones, for each row of each query head, in all layers; the bytes are those of the keys and their values. REFERENCE computes one row of one head after the other, so it reads a key again for each row and each query head.</source>
        <translation>Gezählt: alle Keys der Sequenz, auch maskierte, für jede Zeile jedes Query-Kopfs, in allen Schichten; die Byte sind die der Keys und ihrer Values. REFERENCE berechnet eine Zeile eines Kopfs nach der anderen und liest darum einen Key für jede Zeile und jeden Query-Kopf von Neuem.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>Counted: the keys that the attention tiles read, in all layers and KV heads; the bytes are those of the keys and their values. A tile reads a key once for all its queries. A prefill tile usually has queries of more tokens than a decode tile, so a decode usually reads more keys for a token.</source>
        <translation>Gezählt: die Keys, die die Attention-Kacheln lesen, in allen Schichten und KV-Köpfen; die Byte sind die der Keys und ihrer Values. Eine Kachel liest einen Key einmal für alle ihre Queries. Eine Prefill-Kachel hat meist Queries von mehr Token als eine Decode-Kachel, darum liest ein Decode je Token meist mehr Keys.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>Part of a step's time hardly grows with its tokens. In a prefill many tokens can share it; in a decode each sequence has one token.</source>
        <translation>Ein Teil der Zeit eines Schritts wächst kaum mit seinen Token. Im Prefill können ihn viele Token teilen; im Decode hat jede Sequenz ein Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>What a token costs</source>
        <translation>Was ein Token kostet</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>Where the time goes</source>
        <translation>Wohin die Zeit geht</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>a decode token</source>
        <translation>ein Decode-Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>a prefill token</source>
        <translation>ein Prefill-Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>keys per token</source>
        <translation>Keys pro Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>ratio</source>
        <translation>Verhältnis</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>their bytes</source>
        <translation>ihre Byte</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_step.cpp"/>
        <source>time per token</source>
        <translation>Zeit pro Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_view.cpp"/>
        <source>Copy all of it as text (Ctrl+C); copy one line or formula (right click)</source>
        <translation>Alles als Text kopieren (Strg+C); eine Zeile oder Formel kopieren (Rechtsklick)</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_view.cpp"/>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_view.cpp"/>
        <source>Copy this formula</source>
        <translation>Diese Formel kopieren</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_view.cpp"/>
        <source>Copy this line</source>
        <translation>Diese Zeile kopieren</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_view.cpp"/>
        <source>Copy what is shown as text (Ctrl+C)</source>
        <translation>Das Gezeigte als Text kopieren (Strg+C)</translation>
    </message>
    <message>
        <location filename="../../gui/views/inspector/inspector_view.cpp"/>
        <source>Ctrl+C, right click</source>
        <translation>Strg+C, Rechtsklick</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/choice_input.cpp"/>
        <source>correct</source>
        <translation>richtig</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/choice_input.cpp"/>
        <source>not correct</source>
        <translation>nicht richtig</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/count_board.cpp"/>
        <source>%1 (%2 %)</source>
        <translation>%1 (%2 %)</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/count_board.cpp"/>
        <source>%1, correct</source>
        <translation>%1, richtig</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/count_board.cpp"/>
        <source>%1, holds a right answer</source>
        <translation>%1, enthält eine richtige Antwort</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/count_board.cpp"/>
        <source>Answers in all: %1</source>
        <translation>Antworten insgesamt: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/count_board.cpp"/>
        <source>How many of the class answer %1</source>
        <translation>Wie viele aus der Klasse antworten: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_list.cpp"/>
        <source>%1, %2 of %3 answered</source>
        <translation>%1, %2 von %3 beantwortet</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_list.cpp"/>
        <source>%1, done: %2 of %3 right at first</source>
        <translation>%1, fertig: %2 von %3 auf Anhieb richtig</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_list.cpp"/>
        <source>Begin again</source>
        <translation>Neu beginnen</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_list.cpp"/>
        <source>Hand-out for learners (PDF)…</source>
        <translation>Arbeitsblatt für Lernende (PDF)…</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_list.cpp"/>
        <source>In a lesson you say what you expect; then the program computes it, and you compare.</source>
        <translation>In einer Lektion sagst du, was du erwartest; dann berechnet es das Programm, und du vergleichst.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_list.cpp"/>
        <source>No lessons are installed. A lesson of your own can be opened with Open, or dropped on the window.</source>
        <translation>Es sind keine Lektionen installiert. Eine eigene lässt sich mit „Öffnen“ öffnen oder auf das Fenster ziehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_list.cpp"/>
        <source>Teacher's copy (PDF)…</source>
        <translation>Exemplar für Lehrende (PDF)…</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_list.cpp"/>
        <source>about %1 minutes</source>
        <translation>etwa %1 Minuten</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_list.cpp"/>
        <source>about 1 minute</source>
        <translation>etwa 1 Minute</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_list.cpp"/>
        <source>the file has mistakes</source>
        <translation>die Datei hat Fehler</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Another run is shown, not that of this step.</source>
        <translation>Es ist ein anderer Lauf zu sehen, nicht der dieses Schritts.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Commit</source>
        <translation>Festlegen</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Compute the rest of the run at full speed. (Enter)</source>
        <translation>Den Rest des Laufs mit vollem Tempo berechnen. (Eingabe)</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>End this question; the run's answer comes with bars for the class. (Enter)</source>
        <translation>Diese Frage beenden; die Antwort des Laufs kommt mit Balken für die Klasse. (Eingabe)</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Finish</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Go back to the step before.</source>
        <translation>Zum Schritt davor.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Go on without an answer of your own. The task does not count as right.</source>
        <translation>Ohne eigene Antwort weitergehen. Die Aufgabe zählt nicht als richtig.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Go to the next step. (Enter)</source>
        <translation>Zum nächsten Schritt. (Eingabe)</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Hint</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Leave the lesson; the run from before comes back. (Enter)</source>
        <translation>Die Lektion verlassen; der Lauf von vorher kommt zurück. (Eingabe)</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Reveal</source>
        <translation>Auflösen</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Run the scenario with these settings. (Enter)</source>
        <translation>Das Szenario mit diesen Einstellungen laufen lassen. (Eingabe)</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Run the step again</source>
        <translation>Den Schritt noch einmal laufen lassen</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Show me</source>
        <translation>Zeig es mir</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Show me the answer</source>
        <translation>Zeig mir die Antwort</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Show the next hint.</source>
        <translation>Den nächsten Hinweis zeigen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Show the run of this step again. (Enter)</source>
        <translation>Den Lauf dieses Schritts noch einmal zeigen. (Eingabe)</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Step before</source>
        <translation>Schritt davor</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Text of the lesson</source>
        <translation>Text der Lektion</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>That is the end of the lesson. %1 of %2 tasks were right at first.</source>
        <translation>Das ist das Ende der Lektion. %1 von %2 Aufgaben waren auf Anhieb richtig.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>The run goes on…</source>
        <translation>Der Lauf geht weiter…</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>The run is being prepared.</source>
        <translation>Der Lauf wird vorbereitet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>The run of this step is being prepared…</source>
        <translation>Der Lauf dieses Schritts wird vorbereitet…</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>The run was stopped before its end.</source>
        <translation>Der Lauf wurde vor seinem Ende gestoppt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>To the end</source>
        <translation>Zum Ende</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Try</source>
        <translation>Probieren</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Wait…</source>
        <translation>Warte…</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Your answer becomes final; then the next question is asked. (Enter)</source>
        <translation>Deine Antwort wird endgültig; dann kommt die nächste Frage. (Eingabe)</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_page.cpp"/>
        <source>Your answer becomes final; then the run shows the right one. (Enter)</source>
        <translation>Deine Antwort wird endgültig; dann zeigt der Lauf die richtige. (Eingabe)</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>%1 cannot be opened. It has %2 mistakes:</source>
        <translation>%1 kann nicht geöffnet werden. Die Datei hat %2 Fehler:</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>%1 cannot be opened. It has one mistake:</source>
        <translation>%1 kann nicht geöffnet werden. Die Datei hat einen Fehler:</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>1 to 9</source>
        <translation>1 bis 9</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Change a number; go to the answer above or below, or in the list of lessons to another lesson</source>
        <translation>Eine Zahl ändern; zur Antwort darüber oder darunter, oder in der Liste der Lektionen zu einer anderen</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Choose an answer: 1 is the first one</source>
        <translation>Eine Antwort wählen: 1 ist die erste</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>For a class: questions in large letters; you enter how many give each answer, and bars show it.</source>
        <translation>Für eine Klasse: Fragen in großer Schrift; du gibst ein, wie viele welche Antwort geben, und Balken zeigen es.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Hand-out</source>
        <translation>Arbeitsblatt</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Leave the lessons; the run from before comes back.</source>
        <translation>Die Lektionen verlassen; der Lauf von vorher kommt zurück.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Mistakes of the lesson</source>
        <translation>Fehler der Lektion</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Next field or button, such as Hint, Show me or Step before</source>
        <translation>Nächstes Feld oder nächster Knopf, etwa Hinweis, Zeig es mir oder Schritt davor</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Open the file again once you have changed it.</source>
        <translation>Öffne die Datei noch einmal, wenn du sie geändert hast.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Preparing %1: the runs of its steps are computed…</source>
        <translation>%1 wird vorbereitet: Die Läufe der Schritte werden berechnet…</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Press the main button, such as Commit, Try or Next</source>
        <translation>Den Hauptknopf drücken, etwa Festlegen, Probieren oder Weiter</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Runs of the lesson that have been computed</source>
        <translation>Läufe der Lektion, die schon berechnet sind</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>The lesson on paper: for learners, or with the answers.</source>
        <translation>Die Lektion auf Papier: für Lernende oder mit den Antworten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Up, Down</source>
        <translation>Auf, Ab</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Write the lesson as a PDF file to print, with boxes for the answers</source>
        <translation>Die Lektion als PDF-Datei zum Drucken schreiben, mit Feldern für die Antworten</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/lesson_panel.cpp"/>
        <source>Write the lesson as a PDF file to print, with the answers, hints and explanations</source>
        <translation>Die Lektion als PDF-Datei zum Drucken schreiben, mit Antworten, Hinweisen und Erklärungen</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/number_input.cpp"/>
        <source>Cannot be read, so it does not count. Give a number %1, with no more digits after the point.</source>
        <translation>Nicht lesbar, darum zählt die Zahl nicht. Gib eine Zahl an, mit nicht mehr Stellen nach dem Punkt: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/number_input.cpp"/>
        <source>Not a whole number, so it does not count. Give a number %1.</source>
        <translation>Keine ganze Zahl, darum zählt sie nicht. Gib eine Zahl an: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/number_input.cpp"/>
        <source>Out of range, so it does not count. Give a number %1.</source>
        <translation>Außerhalb des Bereichs, darum zählt die Zahl nicht. Gib eine Zahl an: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/number_input.cpp"/>
        <source>from %1 to %2 %3</source>
        <translation>von %1 bis %2 %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <source>Choose the head in a view, or give its layer and number:</source>
        <translation>Wähle den Kopf in einer Ansicht, oder gib Schicht und Nummer an:</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <source>Choose the request in a view, or give its number:</source>
        <translation>Wähle die Anfrage in einer Ansicht, oder gib ihre Nummer an:</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <source>Click the answer, or give its number:</source>
        <translation>Klick auf die Antwort, oder gib ihre Nummer an:</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <source>Click the cell, or give its query and key:</source>
        <translation>Klick auf die Zelle, oder gib Query und Key an:</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <source>Go to the step, or give its number:</source>
        <translation>Geh zu dem Schritt, oder gib seine Nummer an:</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <source>Nothing is chosen yet.</source>
        <translation>Noch ist nichts gewählt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <source>Number of the %1</source>
        <translation>Nummer: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <source>You mean: %1</source>
        <translation>Du meinst: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <source>request %1, “%2”</source>
        <translation>Anfrage %1, „%2“</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/place_input.cpp"/>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <location filename="../../gui/views/step/step_painter.cpp"/>
        <source>row %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <source>%1 to %2 %3</source>
        <translation>%1 bis %2 %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <source>**Hint %1:** %2</source>
        <translation>**Hinweis %1:** %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <source>Add this answer</source>
        <translation>Diese Antwort hinzufügen</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <source>Adds a row in which this answer of the class is counted.</source>
        <translation>Fügt eine Zeile hinzu, in der diese Antwort der Klasse gezählt wird.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <source>Correct. The run says: %1.</source>
        <translation>Richtig. Der Lauf sagt: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <source>Correct: %1.</source>
        <translation>Richtig: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <source>Not %1. The right answer is %2.</source>
        <translation>Nicht %1. Die richtige Antwort ist %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <source>One solution: %1.</source>
        <translation>Eine Lösung: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <source>Rings the answer to this question in its view.</source>
        <translation>Kreist die Antwort auf diese Frage in ihrer Ansicht ein.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <source>Show where</source>
        <translation>Zeig die Stelle</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <source>Show where the answer to question %1 is</source>
        <translation>Zeig, wo die Antwort auf Frage %1 steht</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <source>The goal is not reached yet.</source>
        <translation>Das Ziel ist noch nicht erreicht.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <source>The goal is reached.</source>
        <translation>Das Ziel ist erreicht.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <source>The run says: %1.</source>
        <translation>Der Lauf sagt: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/lessons/task_block.cpp"/>
        <source>You said: %1. The run says: %2.</source>
        <translation>Du hast gesagt: %1. Der Lauf sagt: %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/machine_job.h"/>
        <source>The measurement was cancelled.</source>
        <translation>Die Messung wurde abgebrochen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/machine_page.cpp"/>
        <source>Measuring the limits of this machine: %1 %</source>
        <translation>Die Grenzen dieser Maschine werden gemessen: %1 %</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/machine_page.cpp"/>
        <source>The limits of this machine are not measured yet. Press Measure in the header; a run waits meanwhile.</source>
        <translation>Die Grenzen dieser Maschine sind noch nicht gemessen. „Messen“ im Kopf misst sie; ein Lauf wartet so lange.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/machine_page.cpp"/>
        <source>Waiting for the end of the step; then the limits are measured.</source>
        <translation>Wartet auf das Ende des Schritts; dann werden die Grenzen gemessen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_canvas.cpp"/>
        <source>Roofline of this machine</source>
        <translation>Roofline dieser Maschine</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <source>10⁹ op/s</source>
        <translation>10⁹ Op/s</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <source>10⁹ operations per second →</source>
        <translation>10⁹ Operationen pro Sekunde →</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>This machine</source>
        <translation>Diese Maschine</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <source>f32 multiply-adds</source>
        <translation>f32-Multiplikationen mit Addition</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <location filename="../../gui/views/timeline/timeline_painter.cpp"/>
        <location filename="../../gui/views/timeline/timeline_ruler.cpp"/>
        <source>modelled time</source>
        <translation>modellierte Zeit</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <source>of the roof</source>
        <translation>vom Dach</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <source>op/byte</source>
        <translation>Op/Byte</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <source>operations per byte moved →</source>
        <translation>Operationen pro bewegtem Byte →</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <source>ridge: %1 operations per byte</source>
        <translation>First: %1 Operationen pro Byte</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <location filename="../../gui/views/timeline/timeline_ruler.cpp"/>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <source>up to step %1</source>
        <translation>bis Schritt %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <source>waits for arithmetic →</source>
        <translation>wartet auf das Rechnen →</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_painter.cpp"/>
        <source>← waits for memory</source>
        <translation>← wartet auf den Speicher</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>%1 G/s</source>
        <translation>%1 G/s</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <location filename="../../gui/views/timeline/timeline_canvas.cpp"/>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>%1 kernels</source>
        <translation>%1 Kernel</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>%1 of the roof of arithmetic, %2</source>
        <translation>%1 vom Dach des Rechnens, %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>%1 of the roof of memory, %2</source>
        <translation>%1 vom Dach des Speichers, %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>%1 operations per byte</source>
        <translation>%1 Operationen pro Byte</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>%1 operations, %2</source>
        <translation>%1 Operationen, %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>%1 operations: the multiplies and adds of the products Q K and P V that the kernel computes, for the visible pairs of query and key</source>
        <translation>%1 Operationen: die Multiplikationen und Additionen der Produkte Q K und P V, die der Kernel berechnet, für die sichtbaren Paare aus Query und Key</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>%1 threads</source>
        <translation>%1 Threads</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>%1 to be moved: queries, keys, values and outputs once in each call, and scores where the kernel stores or reads them</source>
        <translation>%1 zu bewegen: Queries, Keys, Values und Ausgaben einmal in jedem Aufruf, und Scores, wo der Kernel sie speichert oder liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>%1, step %2</source>
        <translation>%1, Schritt %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>1 kernel</source>
        <translation>1 Kernel</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>1 thread</source>
        <translation>1 Thread</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>: some of these bytes may come from a processor cache</source>
        <translation>: Ein Teil dieser Bytes kann aus einem Prozessor-Cache kommen</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>Arithmetic %1, memory %2, ridge at %3 operations per byte.</source>
        <translation>Rechnen %1, Speicher %2, First bei %3 Operationen pro Byte.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>Left of the ridge memory limits a kernel near its roof, right of it arithmetic does. A kernel far below its roof is slow for other reasons.</source>
        <translation>Links vom First begrenzt der Speicher einen Kernel nahe an seinem Dach, rechts davon das Rechnen. Ein Kernel weit unter seinem Dach ist aus anderen Gründen langsam.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>Measured with %1, the best of %2 rounds; copying in memory: %3.</source>
        <translation>Gemessen mit %1, das Beste aus %2 Runden; Kopieren im Speicher: %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>Operations: the multiplies and adds of Q K and P V for the visible pairs of query and key. Bytes: queries, keys, values and outputs once in each call, and scores where a kernel stores or reads them. Masked pairs, padding and the softmax do not count. A kernel whose bytes were in a cache of the processor can lie above the slope of memory.</source>
        <translation>Operationen: die Multiplikationen und Additionen von Q K und P V für die sichtbaren Paare aus Query und Key. Bytes: Queries, Keys, Values und Ausgaben einmal in jedem Aufruf, und Scores, wo ein Kernel sie speichert oder liest. Maskierte Paare, Füllzeilen und die Softmax zählen nicht. Ein Kernel, dessen Bytes in einem Cache des Prozessors waren, kann über der Schräge des Speichers liegen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>The clock of this run is virtual: its times say nothing of this machine, so its kernels are marks on the lower axis and no points.</source>
        <translation>Die Uhr dieses Laufs ist virtuell: Seine Zeiten sagen nichts über diese Maschine, darum sind seine Kernel Marken an der unteren Achse und keine Punkte.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>The roofs were measured with %1, and the run has %2: measure again.</source>
        <translation>Die Dächer wurden mit %1 gemessen, und der Lauf hat %2: noch einmal messen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>The run was slowed or paused. Its times leave the waiting out, but kernels that were watched tile by tile can be slower.</source>
        <translation>Der Lauf wurde verlangsamt oder angehalten. Seine Zeiten lassen das Warten weg, aber Kernel, denen man Kachel für Kachel zusah, können langsamer sein.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>This is a recorded run: its times may come from another machine.</source>
        <translation>Dies ist ein aufgezeichneter Lauf: Seine Zeiten können von einer anderen Maschine sein.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>modelled time, ns</source>
        <translation>modellierte Zeit, ns</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>operations per byte</source>
        <translation>Operationen pro Byte</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <source>operations per second</source>
        <translation>Operationen pro Sekunde</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/machine/roofline_scene.cpp"/>
        <location filename="../../gui/views/tiles/tiles_canvas.cpp"/>
        <location filename="../../gui/views/timeline/timeline_input.cpp"/>
        <source>time, ns</source>
        <translation>Zeit, ns</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_board.cpp"/>
        <source>Metrics: %1</source>
        <translation>Messwerte: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_board.cpp"/>
        <location filename="../../gui/views/metrics/metrics_canvas.cpp"/>
        <source>No steps yet</source>
        <translation>Noch keine Schritte</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_board.cpp"/>
        <source>numbers of step %1</source>
        <translation>Zahlen von Schritt %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_canvas.cpp"/>
        <source> so far</source>
        <translation> bisher</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_canvas.cpp"/>
        <source>%1 at step %2</source>
        <translation>%1 bei Schritt %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_canvas.cpp"/>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>%1 requests</source>
        <translation>%1 Anfragen</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_canvas.cpp"/>
        <source>%1 to %2: %3</source>
        <translation>%1 bis %2: %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_canvas.cpp"/>
        <source>%1, ns</source>
        <translation>%1, ns</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_canvas.cpp"/>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>1 request</source>
        <translation>1 Anfrage</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_canvas.cpp"/>
        <source>Metrics of the run</source>
        <translation>Messwerte des Laufs</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_canvas.cpp"/>
        <source>Speed, queue, cache use and waiting times appear here step by step.</source>
        <translation>Hier erscheinen Schritt für Schritt Tempo, Warteschlange, Cache-Belegung und Wartezeiten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_charts.cpp"/>
        <source>TPOT</source>
        <translation>TPOT</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_charts.cpp"/>
        <source>TTFT</source>
        <translation>TTFT</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_charts.cpp"/>
        <source>modelled %1, %2</source>
        <translation>modelliert %1, %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_charts.cpp"/>
        <source>modelled time, %1</source>
        <translation>modellierte Zeit, %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_charts.cpp"/>
        <source>thousand tokens/s</source>
        <translation>tausend Token/s</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_charts.cpp"/>
        <source>time, %1</source>
        <translation>Zeit, %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>% of tokens</source>
        <translation>% der Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>%1 (%2 a token)</source>
        <translation>%1 (%2 pro Token)</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>%1 (most %2)</source>
        <translation>%1 (meiste %2)</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>%1 × decode speed</source>
        <translation>%1 × Decode-Tempo</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>Decode speed</source>
        <translation>Decode-Tempo</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>Decode: one token per sequence and step.
Decode tokens of a step, divided by the duration of the step.
%1</source>
        <translation>Decode: ein Token pro Sequenz und Schritt.
Decode-Token eines Schritts, geteilt durch seine Dauer.
%1</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>In steps that were slowed or stepped, kernels can cut prompts into smaller tiles and so take longer.</source>
        <translation>In Schritten, die verlangsamt oder einzeln ausgeführt wurden, können Kernel Prompts in kleinere Kacheln teilen und darum länger brauchen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>Preempted: requests that had to give their blocks back.
Evicted: cached blocks that were taken for other tokens.
Copied: shared blocks that were copied before a write (copy-on-write).
Swap out, in: blocks whose content was moved to the swap pool, or back.
Each lane has its own scale.</source>
        <translation>Verdrängt: Anfragen, die ihre Blöcke zurückgeben mussten.
Verworfen: gecachte Blöcke, die für andere Token genommen wurden.
Kopiert: geteilte Blöcke, die vor dem Schreiben kopiert wurden (Copy-on-Write).
Auslagern, einlagern: Blöcke, deren Inhalt in den Auslagerungsspeicher kam oder zurück.
Jede Zeile hat ihre eigene Skala.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>Preemptions and moves</source>
        <translation>Verdrängen und Verschieben</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>Prefill speed</source>
        <translation>Prefill-Tempo</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>Prefill: the tokens of prompts, and of sequences that are computed again.
Prefill tokens of a step, divided by the duration of the step.
%1</source>
        <translation>Prefill: die Token von Prompts und von Sequenzen, die neu berechnet werden.
Prefill-Token eines Schritts, geteilt durch seine Dauer.
%1</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>Prefix hit rate</source>
        <translation>Präfix-Trefferquote</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>Share of the tokens of admitted requests that were found in the prefix cache.</source>
        <translation>Anteil der Token zugelassener Anfragen, die im Präfix-Cache gefunden wurden.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>TPOT: (time of the last token − time of the first token) ÷ (tokens − 1), for requests with two or more generated tokens. For requests that have not ended: so far.
A tick below the axis is a request. Of the samples or beams of one prompt only the first counts.</source>
        <translation>TPOT: (Zeit des letzten Tokens − Zeit des ersten) ÷ (Token − 1), für Anfragen mit zwei oder mehr erzeugten Token. Für Anfragen, die nicht zu Ende sind: bisher.
Ein Strich unter der Achse ist eine Anfrage. Von den Samples oder Beams eines Prompts zählt nur das erste.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>TTFT: time from the arrival of a request to its first token.
A tick below the axis is a request. p90: at least nine of ten of them waited no longer.
The samples or beams of one prompt count as one request.</source>
        <translation>TTFT: Zeit von der Ankunft einer Anfrage bis zu ihrem ersten Token.
Ein Strich unter der Achse ist eine Anfrage. p90: Mindestens neun von zehn davon warteten nicht länger.
Die Samples oder Beams eines Prompts zählen als eine Anfrage.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>The charts of prefill and decode have scales of their own. A factor beside their titles compares the mean speed of the steps with prefill only with that of the steps with decode only.</source>
        <translation>Die Diagramme für Prefill und Decode haben eigene Skalen. Ein Faktor neben ihren Titeln vergleicht das mittlere Tempo der Schritte nur mit Prefill mit dem der Schritte nur mit Decode.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>The run was slowed or paused; its times leave the waiting out.</source>
        <translation>Der Lauf wurde verlangsamt oder angehalten; seine Zeiten lassen das Warten weg.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>Times are modelled: the clock is virtual.</source>
        <translation>Die Zeiten sind modelliert: Die Uhr ist virtuell.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>Used: a block table names the block.
Cached: no table names the block, but a prompt can use its content again.
Free: the block holds nothing that is needed.
Swap pool: blocks of preempted requests in host memory.</source>
        <translation>Belegt: Eine Blocktabelle nennt den Block.
Gecacht: Keine Tabelle nennt den Block, aber ein Prompt kann seinen Inhalt wieder benutzen.
Frei: Der Block enthält nichts, was gebraucht wird.
Auslagerungsspeicher: Blöcke verdrängter Anfragen im Hauptspeicher.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>Waiting: the request is in the queue.
Running: steps can compute tokens of the request.
Swapped: the content of the request's blocks is in the swap pool.</source>
        <translation>Wartend: Die Anfrage ist in der Warteschlange.
Laufend: Schritte können Token der Anfrage berechnen.
Ausgelagert: Der Inhalt der Blöcke der Anfrage liegt im Auslagerungsspeicher.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>after each step</source>
        <translation>nach jedem Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>copied</source>
        <translation>kopiert</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>evicted</source>
        <translation>verworfen</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>modelled · </source>
        <translation>modelliert · </translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>of each step</source>
        <translation>jedes Schritts</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>per step</source>
        <translation>pro Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>prefill speed ÷ %1</source>
        <translation>Prefill-Tempo ÷ %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>prefix caching is off</source>
        <translation>Präfix-Cache ist aus</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <location filename="../../gui/views/timeline/range/range_sums.cpp"/>
        <source>requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>swap in</source>
        <translation>einlagern</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>swap out</source>
        <translation>auslagern</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>swap pool</source>
        <translation>Auslagerung</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <location filename="../../gui/views/timeline/timeline_model.cpp"/>
        <source>swapped</source>
        <translation>ausgelagert</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>this step</source>
        <translation>dieser Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_figures.cpp"/>
        <source>used</source>
        <translation>belegt</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>%1 of %2 blocks were in use after step %3. When too few are free, requests wait or lose their blocks.</source>
        <translation>%1 von %2 Blöcken waren nach Schritt %3 belegt. Wenn zu wenige frei sind, warten Anfragen oder verlieren ihre Blöcke.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>A roof over the kernels</source>
        <translation>Ein Dach über den Kerneln</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>After step %1, %2 requests were running and %3 waiting. Requests can wait because the batch or the cache is full.</source>
        <translation>Nach Schritt %1 liefen %2 Anfragen und %3 warteten. Anfragen können warten, weil der Batch oder der Cache voll ist.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>Decode tokens, one per sequence and step: %1 in step %2, so %3 tokens/s.</source>
        <translation>Decode-Token, eines je Sequenz und Schritt: %1 in Schritt %2, also %3 Token/s.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>Generating</source>
        <translation>Erzeugen</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>How long users wait</source>
        <translation>Wie lange man wartet</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>How many tokens are computed in prefill per second: those of prompts, and of sequences that are computed again. In step %1 there were %2: %3 tokens/s.</source>
        <translation>Wie viele Token pro Sekunde im Prefill berechnet werden: die von Prompts und von Sequenzen, die neu berechnet werden. In Schritt %1 waren es %2: %3 Token/s.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>No step has been computed yet. Press Space to run the scenario; the charts grow with every step.</source>
        <translation>Noch ist kein Schritt berechnet. Starte das Szenario mit der Leertaste; die Diagramme wachsen mit jedem Schritt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>Reading prompts</source>
        <translation>Prompts lesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>Steps or time</source>
        <translation>Schritte oder Zeit</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>The cache</source>
        <translation>Der Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>The charts over the run can be drawn over steps or over time. A click in such a chart takes the views to the step at the pointer.</source>
        <translation>Die Diagramme über den Lauf lassen sich über den Schritten oder über der Zeit zeichnen. Ein Klick in ein solches Diagramm bringt die Ansichten zu dem Schritt am Zeiger.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>The flat part of this line is how many operations (multiplies and adds) the machine does at most, %1. The slope is how fast it reads memory, %2. Both parts meet at %3 operations per byte, the ridge.</source>
        <translation>Der flache Teil dieser Linie ist, wie viele Operationen (Multiplikationen und Additionen) die Maschine höchstens schafft, %1. Die Schräge ist, wie schnell sie den Speicher liest, %2. Beide Teile treffen sich bei %3 Operationen pro Byte, dem First.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>The limits of this machine are not measured yet. Press Measure; a run waits meanwhile.</source>
        <translation>Die Grenzen dieser Maschine sind noch nicht gemessen. „Messen“ misst sie; ein Lauf wartet so lange.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>The run in numbers</source>
        <translation>Der Lauf in Zahlen</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>The time from a request's arrival to its first token. %1 of %2 requests have it; their median is %3.</source>
        <translation>Die Zeit von der Ankunft einer Anfrage bis zu ihrem ersten Token. %1 von %2 Anfragen haben es; der Median ist %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>The time from a request's arrival to its first token. None has one yet.</source>
        <translation>Die Zeit von der Ankunft einer Anfrage bis zu ihrem ersten Token. Noch hat keine eines.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>This kernel has %1 operations per byte, left of the ridge: its roof is the slope of memory. %2</source>
        <translation>Dieser Kernel hat %1 Operationen pro Byte, links vom First: Sein Dach ist die Schräge des Speichers. %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>This kernel has %1 operations per byte, right of the ridge: its roof is the flat one of arithmetic. %2</source>
        <translation>Dieser Kernel hat %1 Operationen pro Byte, rechts vom First: Sein Dach ist das flache des Rechnens. %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>Two charts show times of requests, the others quantities over the %1 steps of the run. The numbers of the others are those of step %2; point at such a chart, and they follow the pointer. %3</source>
        <translation>Zwei Diagramme zeigen Zeiten von Anfragen, die anderen Größen über die %1 Schritte des Laufs. Die Zahlen der anderen sind die von Schritt %2; zeige auf ein solches Diagramm, und sie folgen dem Zeiger. %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>What is counted</source>
        <translation>Was gezählt wird</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>What this machine can do</source>
        <translation>Was diese Maschine kann</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_tour.cpp"/>
        <source>Who runs and who waits</source>
        <translation>Wer läuft und wer wartet</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Arrows, Enter</source>
        <translation>Pfeile, Eingabe</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Click where a curve changes to go to that step; on “This machine” click a kernel for its longest call.</source>
        <translation>Klick dort, wo sich eine Kurve ändert, um zu diesem Schritt zu gehen; auf der Seite „Diese Maschine“ auf einen Kernel, um seinen längsten Aufruf auszuwählen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Horizontal axis</source>
        <translation>Waagerechte Achse</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Left, Right</source>
        <translation>Links, Rechts</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Measure how fast this machine multiplies and adds, reads from caches and from memory, and copies in memory. A run waits meanwhile.</source>
        <translation>Messen, wie schnell diese Maschine multipliziert und addiert, aus Caches und aus dem Speicher liest und im Speicher kopiert. Ein Lauf wartet so lange.</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Metrics › %1</source>
        <translation>Metriken › %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Set the time cursor to the step; a click beside the plots returns to the newest step</source>
        <translation>Den Zeitpunkt auf den Schritt setzen; ein Klick neben die Diagramme geht zum neuesten Schritt zurück</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Shift+wheel</source>
        <translation>Umschalt+Rad</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Show all steps</source>
        <translation>Alle Schritte zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Show all steps (Home)</source>
        <translation>Alle Schritte zeigen (Pos1)</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Show attention kernels of the run on the roofline of this machine</source>
        <translation>Attention-Kernel des Laufs an der Roofline dieser Maschine zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Show metrics of the run, such as speed, cache use and waiting times</source>
        <translation>Messwerte des Laufs zeigen, etwa Tempo, Cache-Belegung und Wartezeiten</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Show speed, requests, cache use and waiting times over the run</source>
        <translation>Geschwindigkeit, Anfragen, Cache-Nutzung und Wartezeiten über den Lauf zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>The horizontal axis of the charts over the run: engine steps, or time on the run's clock</source>
        <translation>Die waagerechte Achse der Diagramme über den Lauf: Engine-Schritte, oder Zeit auf der Uhr des Laufs</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>The numbers of the step before and after</source>
        <translation>Die Zahlen des Schritts davor und danach</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>This machine: go from kernel to kernel; select its longest call on the timeline</source>
        <translation>Diese Maschine: von Kernel zu Kernel gehen; seinen längsten Aufruf in der Zeitachse auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>What is shown: the course of the run, or its kernels beside the limits of this machine</source>
        <translation>Was gezeigt wird: der Verlauf des Laufs, oder seine Kernel neben den Grenzen dieser Maschine</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>What the metrics show</source>
        <translation>Was die Metriken zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>Whole run</source>
        <translation>Ganzer Lauf</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Zoom in and out</source>
        <translation>Vergrößern und verkleinern</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>over steps</source>
        <translation>über Schritte</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>over time</source>
        <translation>über Zeit</translation>
    </message>
    <message>
        <location filename="../../gui/views/metrics/metrics_view.cpp"/>
        <source>without waiting</source>
        <translation>ohne zu warten</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_canvas.cpp"/>
        <source>Queries and keys as points of a plane</source>
        <translation>Queries und Keys als Punkte einer Ebene</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_canvas.cpp"/>
        <source>axis %1</source>
        <translation>Achse %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_painter.cpp"/>
        <source>axis 1: %1 % of the variance →</source>
        <translation>Achse 1: %1 % der Varianz →</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_painter.cpp"/>
        <source>weights of query %1, the thicker the larger</source>
        <translation>Gewichte von Query %1, je dicker, desto größer</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_painter.cpp"/>
        <source>↑ axis 2: %1 % of the variance</source>
        <translation>↑ Achse 2: %1 % der Varianz</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_scene.cpp"/>
        <source>%1 queries</source>
        <translation>%1 Queries</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_scene.cpp"/>
        <source>%1, layer %2, head %3: %4 and %5</source>
        <translation>%1, Schicht %2, Kopf %3: %4 und %5</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_scene.cpp"/>
        <source>1 query</source>
        <translation>1 Query</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_scene.cpp"/>
        <source>All keys are moved by a vector c, %1 % of the way to the middle of the queries. The weights of query %2 change by at most %3; its log-sum-exp changes by %4 = scale × q·c: residue %5.</source>
        <translation>Alle Keys sind um einen Vektor c verschoben, %1 % des Weges zur Mitte der Queries. Die Gewichte von Query %2 ändern sich um höchstens %3; ihr Log-Sum-Exp ändert sich um %4 = Skala × q·c: Rest %5.</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_scene.cpp"/>
        <source>Move all keys with the slider: the weights change only by rounding.</source>
        <translation>Verschieb alle Keys mit dem Schieber: Die Gewichte ändern sich nur durch Runden.</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_scene.cpp"/>
        <source>The plane holds %1 of the variance (%2 across, %3 up). All %4 axes together give every point back: residue %5.</source>
        <translation>Die Ebene enthält %1 der Varianz (%2 waagerecht, %3 senkrecht). Alle %4 Achsen zusammen geben jeden Punkt zurück: Rest %5.</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_scene.cpp"/>
        <source>at %1, %2</source>
        <translation>bei %1, %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_scene.cpp"/>
        <source>weight %1, with which query %2 reads it</source>
        <translation>Gewicht %1, mit dem Query %2 ihn liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_tour.cpp"/>
        <source>A plane can leave something out. All %1 axes together give the points back to within %2.</source>
        <translation>Eine Ebene kann etwas weglassen. Alle %1 Achsen zusammen geben die Punkte bis auf %2 zurück.</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_tour.cpp"/>
        <source>Filled points are %4 queries of head %1 in layer %2, hollow ones are %5 keys, vectors of %3 numbers. They are seen in the plane in which they differ most; it has %6% of their variance.</source>
        <translation>Volle Punkte sind %4 Queries von Kopf %1 in Schicht %2, hohle sind %5 Keys, Vektoren aus %3 Zahlen. Sie sind in der Ebene zu sehen, in der sie sich am meisten unterscheiden; sie hat %6% ihrer Varianz.</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_tour.cpp"/>
        <source>How much of it is true</source>
        <translation>Wie viel davon stimmt</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_tour.cpp"/>
        <source>Move all keys</source>
        <translation>Alle Keys verschieben</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_tour.cpp"/>
        <location filename="../../gui/views/rotary/rotary_tour.cpp"/>
        <source>No row of this head has been computed at this step. Press Space to run, or move the slider in the status line to a later step.</source>
        <translation>Bei diesem Schritt ist noch keine Zeile dieses Kopfes berechnet. Starte mit der Leertaste, oder gehe mit dem Schieber in der Statuszeile zu einem späteren Schritt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_tour.cpp"/>
        <source>One query</source>
        <translation>Eine Query</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_tour.cpp"/>
        <location filename="../../gui/views/points/points_view.h"/>
        <source>Queries and keys as points</source>
        <translation>Queries und Keys als Punkte</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_tour.cpp"/>
        <source>The key of token %1 has the weight %2. The product q·k is large for long keys in the direction of the query, not for near ones.</source>
        <translation>Der Key von Token %1 hat das Gewicht %2. Das Produkt q·k ist groß für lange Keys in Richtung der Query, nicht für nahe.</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_tour.cpp"/>
        <source>The key that it reads most</source>
        <translation>Der Key, den sie am meisten liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_tour.cpp"/>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>The plane of this head is being computed.</source>
        <translation>Die Ebene dieses Kopfes wird berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_tour.cpp"/>
        <source>The slider moves all keys together towards the queries. The weights change only by rounding, now those of the shown query by at most %1.</source>
        <translation>Der Schieber verschiebt alle Keys zusammen zu den Queries hin. Die Gewichte ändern sich nur durch Runden, jetzt die der gezeigten Query um höchstens %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_tour.cpp"/>
        <source>The slider moves all keys together towards the queries. The weights change only by rounding.</source>
        <translation>Der Schieber verschiebt alle Keys zusammen zu den Queries hin. Die Gewichte ändern sich nur durch Runden.</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_tour.cpp"/>
        <source>This is the query of token %1. Lines go from it to the keys that it reads with a weight of 0.005 or more; a click on another query shows that one.</source>
        <translation>Das ist die Query von Token %1. Linien gehen von ihr zu den Keys, die sie mit einem Gewicht von mindestens 0.005 liest; ein Klick auf eine andere Query zeigt diese.</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Click a key</source>
        <translation>Einen Key anklicken</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Click a query</source>
        <translation>Eine Query anklicken</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Do not move the keys</source>
        <translation>Die Keys nicht verschieben</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Double-click beside the points, F, Home</source>
        <translation>Doppelklick neben die Punkte, F, Pos1</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>How far all keys are moved towards the queries, in percent</source>
        <translation>Wie weit alle Keys zu den Queries verschoben sind, in Prozent</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>M</source>
        <translation>M</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Mark it in other views; tooltip: token, weight, place</source>
        <translation>In anderen Ansichten markieren; Tooltip: Token, Gewicht, Ort</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Move all keys back, towards the queries</source>
        <translation>Alle Keys zurück, zu den Queries hin verschieben</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Move all keys by one vector, towards the middle of the queries; the weights change only by rounding ([ and ], M)</source>
        <translation>Alle Keys um einen Vektor zur Mitte der Queries verschieben; die Gewichte ändern sich nur durch Runden ([ und ], M)</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Move all keys by the vector from their middle to that of the queries</source>
        <translation>Alle Keys um den Vektor von ihrer Mitte zu der der Queries verschieben</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Move all keys until their middle is that of the queries, or back</source>
        <translation>Alle Keys verschieben, bis ihre Mitte die der Queries ist, oder zurück</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Move the picture up and down</source>
        <translation>Das Bild auf und ab bewegen</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>No points yet</source>
        <translation>Noch keine Punkte</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>No row of the shown head has been computed yet.</source>
        <translation>Noch ist keine Zeile des gezeigten Kopfes berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Point at a point</source>
        <translation>Auf einen Punkt zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Points › Keys moved onto the queries</source>
        <translation>Punkte › Keys auf die Queries verschoben</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Points › Keys where they are</source>
        <translation>Punkte › Keys, wo sie sind</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Select it and show its weights; again: clear the selection</source>
        <translation>Sie auswählen und ihre Gewichte zeigen; noch einmal: Auswahl aufheben</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Select the cell of the shown query and this key</source>
        <translation>Die Zelle der gezeigten Query und dieses Keys auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Select the key with the next larger, smaller weight</source>
        <translation>Den Key mit dem nächstgrößeren, nächstkleineren Gewicht auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Select the query before, after</source>
        <translation>Die Query davor, danach auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Show all points</source>
        <translation>Alle Punkte zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Show queries and keys of the shown head as points</source>
        <translation>Queries und Keys des gezeigten Kopfes als Punkte zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>There are no points to show.</source>
        <translation>Es gibt keine Punkte zu zeigen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>Up to step %1 no row of this head was computed.</source>
        <translation>Bis Schritt %1 war keine Zeile dieses Kopfes berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Wheel, Page up, Page down, middle drag</source>
        <translation>Rad, Bild auf, Bild ab, mit der mittleren Taste ziehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>Where the slider can be moved, it moves all keys: the weights change only by rounding.</source>
        <translation>Wo der Schieber beweglich ist, verschiebt er alle Keys: Die Gewichte ändern sich nur durch Runden.</translation>
    </message>
    <message>
        <location filename="../../gui/views/points/points_view.cpp"/>
        <source>move keys</source>
        <translation>Keys verschieben</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_canvas.cpp"/>
        <source>A score by frequency, and over the distance</source>
        <translation>Ein Score nach Frequenz und über den Abstand</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_canvas.cpp"/>
        <source>distance %1: score %2</source>
        <translation>Abstand %1: Score %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_canvas.cpp"/>
        <source>part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_painter.cpp"/>
        <source>adds to the score</source>
        <translation>trägt zum Score bei</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_painter.cpp"/>
        <source>distance from the query back to the key</source>
        <translation>Abstand von der Query zurück zum Key</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_painter.cpp"/>
        <source>part of the score, by pair of elements</source>
        <translation>Teil des Scores, nach Elementpaaren</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_painter.cpp"/>
        <source>score of the same content at another distance</source>
        <translation>Score desselben Inhalts bei anderem Abstand</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_painter.cpp"/>
        <source>sum so far, and the curve</source>
        <translation>Summe bisher, und die Kurve</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_painter.cpp"/>
        <source>takes away</source>
        <translation>nimmt weg</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_painter.cpp"/>
        <source>the most at any distance</source>
        <translation>das meiste bei irgendeinem Abstand</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_painter.cpp"/>
        <source>tokens for one turn; dial: angle of query to key</source>
        <translation>Tokens je Umdrehung; Zeiger: Winkel von Query zu Key</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_painter.cpp"/>
        <source>tokens of distance in which a pair turns once; dial: angle between query and key</source>
        <translation>Token Abstand, in denen sich ein Paar einmal dreht; Zeiger: Winkel zwischen Query und Key</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_scene.cpp"/>
        <source> and of what does not turn</source>
        <translation> und dessen, was sich nicht dreht</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_scene.cpp"/>
        <source>%1 is %2; the score of the run, before a soft cap if there is one, is %3: residue %4. The curve passes through the sum at distance %5: residue %6. The weight of the cell is %7.</source>
        <translation>%1 ist %2; der Score des Laufs, vor einem etwaigen Soft Cap, ist %3: Rest %4. Die Kurve geht bei Abstand %5 durch die Summe: Rest %6. Das Gewicht der Zelle ist %7.</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_scene.cpp"/>
        <source>%1, layer %2, head %3: query %4, key %5, distance %6</source>
        <translation>%1, Schicht %2, Kopf %3: Query %4, Key %5, Abstand %6</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_scene.cpp"/>
        <source>Point at the curve: the pairs turn to that distance.</source>
        <translation>Zeig auf die Kurve: Die Paare drehen sich auf diesen Abstand.</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_scene.cpp"/>
        <source>The same content at distance %1 would have the score %2.</source>
        <translation>Derselbe Inhalt hätte bei Abstand %1 den Score %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_scene.cpp"/>
        <source>The sum of %1 pairs</source>
        <translation>Die Summe von %1 Paaren</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_scene.cpp"/>
        <source>pair %1: one turn in %2 tokens
|q| %3, |k| %4, angle %5°
adds %6 to the score %7</source>
        <translation>Paar %1: eine Drehung in %2 Token
|q| %3, |k| %4, Winkel %5°
trägt %6 zum Score %7 bei</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_tour.cpp"/>
        <source>At other distances</source>
        <translation>Bei anderen Abständen</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_tour.cpp"/>
        <source>Each dial shows the angle between query and key in its pair. Where both point the same way, the part is above 0; where they are opposite, it is below 0.</source>
        <translation>Jede Uhr zeigt den Winkel zwischen Query und Key in ihrem Paar. Wo beide in dieselbe Richtung zeigen, ist der Teil über 0; wo sie entgegengesetzt sind, ist er unter 0.</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_tour.cpp"/>
        <source>In head %1 of layer %2 token %3 reads token %4 with the score %5, before a soft cap. The score has %6 parts, one for each pair of numbers that the position turns.</source>
        <translation>In Kopf %1 von Schicht %2 liest Token %3 das Token %4 mit dem Score %5, vor einem Soft Cap. Der Score hat %6 Teile, einen für jedes Zahlenpaar, das die Position dreht.</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_tour.cpp"/>
        <source>One score, taken apart</source>
        <translation>Ein Score, zerlegt</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_tour.cpp"/>
        <source>Pair %1 adds %2 to the score. It turns by %3 radians from one token to the next; fast pairs stand at the left, slow ones at the right.</source>
        <translation>Paar %1 trägt %2 zum Score bei. Es dreht sich von einem Token zum nächsten um %3 rad; schnelle Paare stehen links, langsame rechts.</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_tour.cpp"/>
        <source>The dials</source>
        <translation>Die Uhren</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_tour.cpp"/>
        <source>The largest part</source>
        <translation>Der größte Teil</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_tour.cpp"/>
        <source>The numbers that it does not turn add %1.</source>
        <translation>Die Zahlen, die sie nicht dreht, tragen %1 bei.</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_tour.cpp"/>
        <source>The sum is %1: the score of the run, before a soft cap, to within %2.</source>
        <translation>Die Summe ist %1: der Score des Laufs, vor einem Soft Cap, bis auf %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_tour.cpp"/>
        <source>The sum is exact</source>
        <translation>Die Summe ist genau</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_tour.cpp"/>
        <source>The two tokens stand %1 apart. The curve is the score that the same two would have at other distances: at distance 0 it would be %2.</source>
        <translation>Der Abstand der beiden ist %1. Die Kurve ist der Score, den dieselben beiden bei anderen Abständen hätten: Bei Abstand 0 wäre er %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_tour.cpp"/>
        <source>This view needs rotary positions. %1 Choose a layer or a scenario that has them, such as “First look”.</source>
        <translation>Diese Ansicht braucht Rotary-Positionen. %1 Wähle eine Schicht oder ein Szenario, das sie hat, zum Beispiel „Erster Blick“.</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>A recorded run has no model at first, and so no frequencies. If its source is a model, press Look inside in a view such as Logit lens, or run it again.</source>
        <translation>Ein aufgezeichneter Lauf hat zuerst kein Modell und darum keine Frequenzen. Ist seine Quelle ein Modell, drücke Hineinsehen in einer Ansicht wie der Logit-Linse, oder starte ihn neu.</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>Back to the true distance; clear the selection</source>
        <translation>Zurück zum wahren Abstand; Auswahl aufheben</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>Click the curve</source>
        <translation>Auf die Kurve klicken</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>Draw the curve in its usual length, and go back to the true distance</source>
        <translation>Die Kurve in ihrer üblichen Länge zeichnen und zum wahren Abstand zurückkehren</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>Draw the curve over fewer tokens, over more tokens</source>
        <translation>Die Kurve über weniger Token, über mehr Token zeichnen</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>Look at a distance of one token less, one token more</source>
        <translation>Einen Abstand von einem Token weniger, einem Token mehr ansehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>No frequencies</source>
        <translation>Keine Frequenzen</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>No score yet</source>
        <translation>Noch kein Score</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>Point at a pair</source>
        <translation>Auf ein Paar zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>Point at the curve</source>
        <translation>Auf die Kurve zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>Point at the curve: the pairs turn to that distance, and the bars follow.</source>
        <translation>Zeig auf die Kurve: Die Paare drehen sich auf diesen Abstand, und die Balken folgen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>Rotary</source>
        <translation>Rotary</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>Select the key before, after; the query before, after</source>
        <translation>Den Key davor, danach auswählen; die Query davor, danach</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>Show the score of a cell by rotary frequency</source>
        <translation>Den Score einer Zelle nach Rotary-Frequenz zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>Stay at that distance; again: leave it</source>
        <translation>Bei diesem Abstand bleiben; noch einmal: ihn verlassen</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>There is no score to show.</source>
        <translation>Es gibt keinen Score zu zeigen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>This run has no model, and so no frequencies.</source>
        <translation>Dieser Lauf hat kein Modell und darum keine Frequenzen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>Tooltip: how far it turns, its lengths, its part</source>
        <translation>Tooltip: wie weit es sich dreht, seine Längen, sein Teil</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.cpp"/>
        <source>Turn all pairs to that distance</source>
        <translation>Alle Paare auf diesen Abstand drehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/rotary/rotary_view.h"/>
        <source>A score by rotary frequency</source>
        <translation>Ein Score nach Rotary-Frequenz</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_canvas.cpp"/>
        <location filename="../../gui/views/step/step_view.h"/>
        <source>Metadata of a step</source>
        <translation>Metadaten eines Schritts</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_canvas.cpp"/>
        <source>Position in the step</source>
        <translation>Stelle im Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source> (%1 of them padding)</source>
        <translation> (%1 davon Padding)</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>%1 more are not drawn; step.csv has those of the shown layer.</source>
        <translation>%1 weitere sind nicht gezeichnet; step.csv hat die der gezeigten Schicht.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>%1 of slot %2 (block %3, offset %4), KV head %5, d 0: byte %6. Strides in bytes: block %7, KV head %8, token %9</source>
        <translation>%1 von Slot %2 (Block %3, Offset %4), KV-Kopf %5, d 0: Byte %6. Abstände in Byte: Block %7, KV-Kopf %8, Token %9</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>%1, %2: query lengths %3, key lengths %4 (longest %5)</source>
        <translation>%1, %2: Query-Längen %3, Key-Längen %4 (längste %5)</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>, block-sparse</source>
        <translation>, block-sparse</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>, d %1.</source>
        <translation>, d %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>, window of %1</source>
        <translation>, Fenster von %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>; %1 of d side by side, the next %1 after %2 bytes.</source>
        <translation>; %1 Werte von d nebeneinander, die nächsten %1 nach %2 Byte.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>; all d side by side.</source>
        <translation>; alle d nebeneinander.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>; keys and values come from the call, no cache is read or written</source>
        <translation>; Keys und Values kommen aus dem Aufruf, kein Cache wird gelesen oder geschrieben</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>; no table</source>
        <translation>; keine Tabelle</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>; table %1 [%2 × %3]</source>
        <translation>; Tabelle %1 [%2 × %3]</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>All calls stand below this long batch: press T to go there.</source>
        <translation>Alle Aufrufe stehen unter diesem langen Batch: Drücke T, um dorthin zu gehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>Decode</source>
        <translation>Decode</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>Grey: masked, in a tile that the kernel visits. Hatched: in no such tile.</source>
        <translation>Grau: maskiert, in einer Kachel, die der Kernel besucht. Schraffiert: in keiner solchen Kachel.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>Key</source>
        <translation>Key</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>Not called: the step brings no tokens to the encoder.</source>
        <translation>Nicht aufgerufen: Der Schritt bringt dem Encoder keine Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>One read of 16 bytes brings %1.</source>
        <translation>Ein Lesen von 16 Byte bringt %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>One read of 16 bytes brings d %1 of slot %2.</source>
        <translation>Ein Lesen von 16 Byte bringt d %1 von Slot %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>Plain: masked. This backend has no tiles: it computes one row after the other.</source>
        <translation>Leer: maskiert. Dieses Backend hat keine Kacheln: Es rechnet eine Zeile nach der anderen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>Prefill</source>
        <translation>Prefill</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>Rows are queries, columns are keys. Filled: the key is seen; with ALiBi the paler, the more is subtracted from its score.</source>
        <translation>Zeilen sind Queries, Spalten sind Keys. Gefüllt: Der Key wird gesehen; mit ALiBi je blasser, desto mehr wird von seinem Score abgezogen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>The backend does not say which masks it uses.</source>
        <translation>Das Backend sagt nicht, welche Masken es benutzt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>The cache of one layer: %1 %2, %3 bytes. Keys begin at byte 0, values at byte %4.</source>
        <translation>Der Cache einer Schicht: %1 %2, %3 Byte. Keys beginnen bei Byte 0, Values bei Byte %4.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>The masks of the prefills</source>
        <translation>Die Masken der Prefills</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>There is no prefill in this step. A decode has no mask: its kernel knows how many keys it reads and which blocks of keys a head leaves out.</source>
        <translation>In diesem Schritt gibt es keinen Prefill. Ein Decode hat keine Maske: Sein Kernel weiß, wie viele Keys er liest und welche Blöcke von Keys ein Kopf auslässt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>There is no prefill in this step. A decode has no mask: its kernel knows which keys it reads.</source>
        <translation>In diesem Schritt gibt es keinen Prefill. Ein Decode hat keine Maske: Sein Kernel weiß, welche Keys er liest.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>Value</source>
        <translation>Value</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>What the attention layers take, and the calls they make</source>
        <translation>Was die Attention-Schichten bekommen, und die Aufrufe, die sie machen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>Where a key and a value lie in the cache</source>
        <translation>Wo ein Key und ein Value im Cache liegen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>layers %1</source>
        <translation>Schichten %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>query_start_loc[%1] = %2: the end of the batch.</source>
        <translation>query_start_loc[%1] = %2: das Ende des Batches.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>sequence %1</source>
        <translation>Sequenz %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>sequences %1–%2</source>
        <translation>Sequenzen %1–%2</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_layout.cpp"/>
        <source>slot %1 d %2</source>
        <translation>Slot %1 d %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>%1 (%2), %3, %4.</source>
        <translation>%1 (%2), %3, %4.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>%1 bytes</source>
        <translation>%1 Byte</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>%1 of them, each for one prompt</source>
        <translation>%1 davon, jede für einen Prompt</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>%1, row %2 (0..%3): </source>
        <translation>%1, Zeile %2 (0..%3): </translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>. This backend has no tiles.</source>
        <translation>. Dieses Backend hat keine Kacheln.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>1 byte</source>
        <translation>1 Byte</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>; %1 lie in tiles that the kernel visits.</source>
        <translation>; %1 liegen in Kacheln, die der Kernel besucht.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>Block-sparse attention leaves out blocks of %1; these are the numbers of head %2.</source>
        <translation>Block-sparse Attention lässt Blöcke von %1 aus; dies sind die Zahlen von Kopf %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>No other layer can use it.</source>
        <translation>Keine andere Schicht kann sie benutzen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>Nothing is kept for later layers.</source>
        <translation>Nichts wird für spätere Schichten behalten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>Of %1 pairs of a query and a key %2 are seen</source>
        <translation>Von %1 Paaren aus Query und Key werden %2 gesehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>The first layer builds it, %1 other layers use it again.</source>
        <translation>Die erste Schicht baut sie, %1 andere Schichten benutzen sie wieder.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>The first layer builds it, 1 other layer uses it again.</source>
        <translation>Die erste Schicht baut sie, 1 andere Schicht benutzt sie wieder.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>dense: a tensor that the kernel reads</source>
        <translation>dicht: ein Tensor, den der Kernel liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>flag: an argument of the call</source>
        <translation>Schalter: ein Argument des Aufrufs</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>for one prompt</source>
        <translation>für einen Prompt</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>it sees %1 of the keys %2 to %3</source>
        <translation>sie sieht %1 der Keys %2 bis %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>it sees key %1</source>
        <translation>sie sieht Key %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>it sees keys %1 to %2</source>
        <translation>sie sieht die Keys %1 bis %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>it sees no key</source>
        <translation>sie sieht keinen Key</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>key %1: %2 is added to its score</source>
        <translation>Key %1: %2 wird zu seinem Score addiert</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>key %1: in no tile that the kernel visits</source>
        <translation>Key %1: in keiner Kachel, die der Kernel besucht</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>key %1: masked, in a tile that the kernel visits</source>
        <translation>Key %1: maskiert, in einer Kachel, die der Kernel besucht</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>key %1: masked; this backend has no tiles</source>
        <translation>Key %1: maskiert; dieses Backend hat keine Kacheln</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>per row: the kernel works it out for each row</source>
        <translation>pro Zeile: Der Kernel rechnet sie für jede Zeile aus</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>per tile: the kernel works it out for each tile</source>
        <translation>pro Kachel: Der Kernel rechnet sie für jede Kachel aus</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>sequence %1: %2</source>
        <translation>Sequenz %1: %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_masks.cpp"/>
        <source>sequences %1–%2, packed: %3</source>
        <translation>Sequenzen %1–%2, gepackt: %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_painter.cpp"/>
        <source>%1 cached</source>
        <translation>%1 gecacht</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_painter.cpp"/>
        <source>+%1 padding</source>
        <translation>+%1 Padding</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_painter.cpp"/>
        <source>Step %1 of %2: %3</source>
        <translation>Schritt %1 von %2: %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_painter.cpp"/>
        <source>context_len %1 + query_len %2 = seq_len %3</source>
        <translation>context_len %1 + query_len %2 = seq_len %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_painter.cpp"/>
        <source>cross_slot_mapping: the encoder's tokens, encoder_seq_lens[%1] = %2</source>
        <translation>cross_slot_mapping: die Token des Encoders, encoder_seq_lens[%1] = %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_painter.cpp"/>
        <source>in the cache before the step</source>
        <translation>vor dem Schritt im Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_painter.cpp"/>
        <source>new token of a decode, above its slot</source>
        <translation>neues Token eines Decodes, über seinem Slot</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_painter.cpp"/>
        <source>new token of a prefill, above its slot</source>
        <translation>neues Token eines Prefills, über seinem Slot</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_painter.cpp"/>
        <source>new token without a query, above its slot</source>
        <translation>neues Token ohne Query, über seinem Slot</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_painter.cpp"/>
        <source>not used</source>
        <translation>nicht benutzt</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_painter.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>prefill of tokens without a query</source>
        <translation>Prefill von Token ohne Query</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source> = block %1 × %2 + offset %3</source>
        <translation> = Block %1 × %2 + Offset %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>%1 of %2 slots used</source>
        <translation>%1 von %2 Slots belegt</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>%1 rows of padding (slot −1), computed but not used</source>
        <translation>%1 Padding-Zeilen (Slot −1), berechnet, aber nicht benutzt</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>%1, %2: %3 of prefill, %4 of decode</source>
        <translation>%1, %2: %3 im Prefill, %4 im Decode</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>, %1 of them written in this step</source>
        <translation>, %1 davon in diesem Schritt geschrieben</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>, but an encoder writes no cache</source>
        <translation>, aber ein Encoder schreibt keinen Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>1 row of padding (slot −1), computed but not used</source>
        <translation>1 Padding-Zeile (Slot −1), berechnet, aber nicht benutzt</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>: its key and value are not cached</source>
        <translation>: sein Key und Value werden nicht gecacht</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>: not used</source>
        <translation>: nicht benutzt</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>: the null block; its tokens left the sliding window</source>
        <translation>: der Nullblock; seine Token haben das gleitende Fenster verlassen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>; %1 rows are of tokens without a query</source>
        <translation>; %1 Zeilen gehören zu Token ohne Query</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>; 1 row is of a token without a query</source>
        <translation>; 1 Zeile gehört zu einem Token ohne Query</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>context_lens[%1] = %2: tokens of %3 from before this step</source>
        <translation>context_lens[%1] = %2: Token von %3 aus der Zeit vor diesem Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>row %1 of the batch: token %2 of %3</source>
        <translation>Zeile %1 des Batches: Token %2 von %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>token %1 of the encoder of %2</source>
        <translation>Token %1 des Encoders von %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>tokens %1 to %2</source>
        <translation>Token %1 bis %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_scene.cpp"/>
        <source>true (%1 rows, %2 of them padding)</source>
        <translation>true (%1 Zeilen, %2 davon Padding)</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>%1 new tokens</source>
        <translation>%1 neue Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>%1 tokens of “%2” were computed in steps before, for it or for another request; this step does not compute them.</source>
        <translation>%1 Token von „%2“ wurden in früheren Schritten berechnet, für diese oder eine andere Anfrage; dieser Schritt berechnet sie nicht.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>1 new token</source>
        <translation>1 neues Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>A backend gets one flat batch of rows and these integers, which say whose rows they are. Step %1 has %2 with %3 rows: %4 of prefill, %5 of decode.</source>
        <translation>Ein Backend bekommt einen flachen Batch von Zeilen und diese ganzen Zahlen, die sagen, wessen Zeilen es sind. Schritt %1 hat %2 mit %3 Zeilen: %4 im Prefill, %5 im Decode.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>A new token</source>
        <translation>Ein neues Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>Its block table</source>
        <translation>Seine Blocktabelle</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>Row %1 of the batch is the first of “%2”. Sequences follow each other without gaps; query_start_loc says where each begins.</source>
        <translation>Zeile %1 des Batches ist die erste von „%2“. Sequenzen folgen ohne Lücken aufeinander; query_start_loc sagt, wo jede beginnt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>Rows of tokens that have a key and a value but no query: %1.</source>
        <translation>Zeilen von Token, die Key und Value haben, aber keine Query: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>The next sequence</source>
        <translation>Die nächste Sequenz</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>There is no batch at this moment. Press Space to run, or go to a step that computed something with the slider in the status line.</source>
        <translation>In diesem Moment gibt es keinen Batch. Starte mit der Leertaste, oder gehe mit dem Schieber in der Statuszeile zu einem Schritt, der etwas berechnet hat.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>This table has %2 of %3 slots for the keys of “%1”, in the order of its tokens. Block %4 is the last one.</source>
        <translation>Diese Tabelle hat %2 mit je %3 Slots für die Keys von „%1“, in der Reihenfolge der Token. Block %4 ist der letzte.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>What is there already</source>
        <translation>Was schon da ist</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>What the engine gives its backend</source>
        <translation>Was die Engine ihrem Backend gibt</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>“%1” has %2 in this step. The last one has slot %3: block %4, place %5.</source>
        <translation>„%1“ hat in diesem Schritt %2. Das letzte hat Slot %3: Block %4, Platz %5.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_tour.cpp"/>
        <source>“%1” has %2 in this step. This is the last of them.</source>
        <translation>„%1“ hat in diesem Schritt %2. Das ist das letzte davon.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>B, T, C, M</source>
        <translation>B, T, C, M</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Cache addresses of a step</source>
        <translation>Cache-Adressen eines Schritts</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Double-click beside the cells, F</source>
        <translation>Doppelklick neben die Zellen, F</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Each token of the batch stands above the slot that its key is written to, if the cache keeps it.</source>
        <translation>Jedes Token des Batches steht über dem Slot, in den sein Key geschrieben wird, wenn der Cache ihn behält.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Go to the batch, to the attention types, to the cache, to the masks</source>
        <translation>Zum Batch, zu den Attention-Arten, zum Cache, zu den Masken gehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Go to the beginning, to the end</source>
        <translation>Zum Anfang, zum Ende gehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Go to the lengths, tables and kernel calls of the attention types</source>
        <translation>Zu den Längen, Tabellen und Kernel-Aufrufen der Attention-Arten gehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Go to the masks of the prefills</source>
        <translation>Zu den Masken der Prefills gehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Go to the sequences of the step</source>
        <translation>Zu den Sequenzen des Schritts gehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Go to where a key and a value lie in the cache</source>
        <translation>Dorthin gehen, wo ein Key und ein Value im Cache liegen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Kernel calls of a step</source>
        <translation>Kernel-Aufrufe eines Schritts</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Larger and smaller</source>
        <translation>Größer und kleiner</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Mark it in other views; tooltip: row, slot, block</source>
        <translation>In anderen Ansichten markieren; Tooltip: Zeile, Slot, Block</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Mark its query and key; tooltip: what the row sees</source>
        <translation>Seine Query und seinen Key markieren; Tooltip: was die Zeile sieht</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Mark its tokens; tooltip: its tokens, the part in use</source>
        <translation>Seine Token markieren; Tooltip: seine Token, der belegte Teil</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>No step to show</source>
        <translation>Kein Schritt zu zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Point at a block</source>
        <translation>Auf einen Block zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Point at a mask</source>
        <translation>Auf eine Maske zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Point at a token or slot</source>
        <translation>Auf ein Token oder einen Slot zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Select the token of the row before, after</source>
        <translation>Das Token der Zeile davor, danach auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Select the token or the block; again: clear the selection</source>
        <translation>Das Token oder den Block auswählen; noch einmal: Auswahl aufheben</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Show what a step gives to the backend</source>
        <translation>Zeigen, was ein Schritt dem Backend gibt</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Step %1 computed nothing.</source>
        <translation>Schritt %1 hat nichts berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Step %1 of %2: %3.</source>
        <translation>Schritt %1 von %2: %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Step › Attention types and calls</source>
        <translation>Schritt › Attention-Arten und Aufrufe</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Step › Batch</source>
        <translation>Schritt › Batch</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Step › Cache</source>
        <translation>Schritt › Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Step › Masks</source>
        <translation>Schritt › Masken</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>There is no step to show.</source>
        <translation>Es gibt keinen Schritt zu zeigen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Usual size, from the beginning</source>
        <translation>Übliche Größe, vom Anfang an</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>What the backend is called with appears here when a step is planned.</source>
        <translation>Womit das Backend aufgerufen wird, erscheint hier, wenn ein Schritt geplant ist.</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>Wheel, Up, Down, Page up, Page down, middle drag</source>
        <translation>Rad, Auf, Ab, Bild auf, Bild ab, mit der mittleren Taste ziehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/step/step_view.cpp"/>
        <source>step %1, under way</source>
        <translation>Schritt %1, noch im Gang</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_canvas.cpp"/>
        <source>%1 of its %2 query-key pairs are visible, the others are masked or padding</source>
        <translation>%1 ihrer %2 Query-Key-Paare sind sichtbar, die anderen sind maskiert oder Padding</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_canvas.cpp"/>
        <source>Tiles of the kernel</source>
        <translation>Kacheln des Kernels</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_canvas.cpp"/>
        <source>visible pairs</source>
        <translation>sichtbare Paare</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>%1  worker %2</source>
        <translation>%1  Worker %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>%1 (up to %2 × %3, queries × keys)</source>
        <translation>%1 (bis zu %2 × %3, Queries × Keys)</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>%1, %2. No tile yet.</source>
        <translation>%1, %2. Noch keine Kachel.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>%1, %2. Tile %3 of %4 is of %5.</source>
        <translation>%1, %2. Kachel %3 von %4 ist von %5.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>; before it %1 of %2 (up to %3 × %4)</source>
        <translation>; davor %1 von %2 (bis zu %3 × %4)</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>Call %1 of %2 of a batch that was split, %3 sequences.</source>
        <translation>Aufruf %1 von %2 eines geteilten Batches, %3 Sequenzen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>Call %1 of %2 of a batch that was split, 1 sequence.</source>
        <translation>Aufruf %1 von %2 eines geteilten Batches, 1 Sequenz.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>Step %1 computed %2 of these tiles. </source>
        <translation>Schritt %1 hat %2 dieser Kacheln berechnet. </translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>Step %1 computed none of these tiles. </source>
        <translation>Schritt %1 hat keine dieser Kacheln berechnet. </translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>Step %1 computed one of these tiles. </source>
        <translation>Schritt %1 hat eine dieser Kacheln berechnet. </translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>decoder's position, query (reads)</source>
        <translation>Position im Decoder, Query (liest)</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>encoder's position, key (is read)</source>
        <translation>Position im Encoder, Key (wird gelesen)</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>end of the sequence, then padding</source>
        <translation>Ende der Sequenz, danach Padding</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>key position (is read)</source>
        <translation>Position des Keys (wird gelesen)</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>masked left of it</source>
        <translation>links davon maskiert</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>masked outside the two lines</source>
        <translation>außerhalb der zwei Linien maskiert</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>masked right of it</source>
        <translation>rechts davon maskiert</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>of earlier steps</source>
        <translation>früherer Schritte</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>page fetched</source>
        <translation>Seite geholt</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>partition of %1 keys</source>
        <translation>Abschnitt von %1 Keys</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>query position (reads)</source>
        <translation>Position der Query (liest)</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>row at the right</source>
        <translation>Zeile rechts</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>shown tile</source>
        <translation>gezeigte Kachel</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>tile %1 of %2: queries %3 to %4, keys %5 to %6, worker %7, %8, %9</source>
        <translation>Kachel %1 von %2: Queries %3 bis %4, Keys %5 bis %6, Worker %7, %8, %9</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_painter.cpp"/>
        <source>worker %1: %2</source>
        <translation>Worker %1: %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source> Keys %1 to %2: m %3, d %4, %5.</source>
        <translation> Keys %1 bis %2: m %3, d %4, %5.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source> Sink %1: m %2, d %3.</source>
        <translation> Senke %1: m %2, d %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>%1 more above</source>
        <translation>%1 weitere darüber</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>%1 parts merged: m = %2, d = %3. </source>
        <translation>%1 Teile verbunden: m = %2, d = %3. </translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>%1 tiles of %2 partitions merged: m = %3, d = %4. </source>
        <translation>%1 Kacheln von %2 Abschnitten verbunden: m = %3, d = %4. </translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>, cap = %1</source>
        <translation>, Cap = %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>, slope = %1</source>
        <translation>, Steigung = %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>. The row sees %1 of %2 keys, %3 to %4.</source>
        <translation>. Die Zeile sieht %1 von %2 Keys, %3 bis %4.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>. The row sees %1 of %2 keys.</source>
        <translation>. Die Zeile sieht %1 von %2 Keys.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>; stored log-sum-exp %1.</source>
        <translation>; gespeicherter Log-Sum-Exp %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>At each tile m becomes the larger of m and the tile's largest score; d and the output are multiplied by rescale = exp(old m − new m); then each seen key adds exp(score − m) to d and exp(score − m) × value to the output. At the end the result is output ÷ d.</source>
        <translation>Bei jeder Kachel wird m das Größere aus m und dem größten Score der Kachel; d und die Ausgabe werden mit Umrechnung = exp(altes m − neues m) multipliziert; dann addiert jeder gesehene Key exp(Score − m) zu d und exp(Score − m) × Value zur Ausgabe. Am Ende ist das Ergebnis Ausgabe ÷ d.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>Before that the sink enters m and d as the score of one more key, whose value is 0.</source>
        <translation>Davor geht die Senke in m und d ein wie der Score eines weiteren Keys, dessen Value 0 ist.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>Click a row, or use Up and Down, to see the softmax of that row.</source>
        <translation>Klick auf eine Zeile, oder nimm Auf und Ab, um die Softmax dieser Zeile zu sehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>None of the tiles shown so far has this row.</source>
        <translation>Keine der bisher gezeigten Kacheln hat diese Zeile.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>Recomputed from the kept query and keys, because the kernel did not report this row.</source>
        <translation>Neu berechnet aus der aufgehobenen Query und den Keys, weil der Kernel diese Zeile nicht gemeldet hat.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>Reported by the kernel, tile by tile.</source>
        <translation>Vom Kernel gemeldet, Kachel für Kachel.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>Row %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>Row %1, "%2"</source>
        <translation>Zeile %1, "%2"</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>Running softmax of a row</source>
        <translation>Laufende Softmax einer Zeile</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>The kernel did not report this row, and its last key is too far into the text to recompute it here.</source>
        <translation>Der Kernel hat diese Zeile nicht gemeldet, und ihr letzter Schlüssel liegt zu weit hinten im Text, um sie hier neu zu berechnen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>The keys of this row were cut into parts; “begins” marks the first tile of each. m is the part's largest score up to this tile, d its sum of exp(score − m). At the end the parts are merged: m becomes the largest of all, and d and output of each part are multiplied by exp(m of the part − m) and added up. The result is output ÷ d.</source>
        <translation>Die Keys dieser Zeile wurden in Teile zerlegt; „beginnt“ steht bei der ersten Kachel jedes Teils. m ist der größte Score des Teils bis zu dieser Kachel, d seine Summe von exp(Score − m). Am Ende werden die Teile verbunden: m wird das größte von allen, und d und Ausgabe jedes Teils werden mit exp(m des Teils − m) multipliziert und addiert. Das Ergebnis ist Ausgabe ÷ d.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>The token of this row is %1. The kernel gets zeros in place of the query, and what it computes from them is not used.</source>
        <translation>Das Token dieser Zeile ist %1. Der Kernel bekommt anstelle der Query Nullen, und was er daraus berechnet, wird nicht benutzt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>This row is not computed to its end, and the kernel did not report it. m and d can appear when the row is done.</source>
        <translation>Diese Zeile ist nicht zu Ende berechnet, und der Kernel hat sie nicht gemeldet. m und d können erscheinen, wenn die Zeile fertig ist.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>Worker %1: last tile %2, queries %3–%4 × keys %5–%6, %7</source>
        <translation>Worker %1: letzte Kachel %2, Queries %3–%4 × Keys %5–%6, %7</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>begins</source>
        <translation>beginnt</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>keys (seen)</source>
        <translation>Keys (gesehen)</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>m + ln d = %1</source>
        <translation>m + ln d = %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>max m</source>
        <translation>max m</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>rescale</source>
        <translation>Umrechnung</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>score = %1</source>
        <translation>Score = %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>sink %1</source>
        <translation>Senke %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_panel.cpp"/>
        <source>sum d</source>
        <translation>Summe d</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>%1 tiles</source>
        <translation>%1 Kacheln</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>1 tile</source>
        <translation>1 Kachel</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>A kernel can take some queries and a piece of the keys at a time: a tile. Down are %1 queries, across are %2 keys, of “%3”, %4. %5 of %6 tiles are drawn.</source>
        <translation>Ein Kernel kann einige Queries und ein Stück der Keys auf einmal nehmen: eine Kachel. Nach unten stehen %1 Queries, nach rechts %2 Keys, von „%3“, %4. %5 von %6 Kacheln sind gezeichnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>After each tile of this row, m is the largest score so far and d the sum of exp(score − m) so far. When m grows, d and the output so far are scaled down. After the last of the tiles in this table m is %1 and d is %2.</source>
        <translation>Nach jeder Kachel dieser Zeile ist m der bisher größte Score und d die bisherige Summe von exp(Score − m). Wächst m, werden d und die bisherige Ausgabe verkleinert. Nach der letzten Kachel dieser Tabelle ist m %1 und d %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>All of its %1 pairs of query and key count.</source>
        <translation>Alle ihre %1 Paare aus Query und Key zählen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>How a kernel walks</source>
        <translation>Wie ein Kernel geht</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>No tile of this head is drawn at this step. Press Space to run. With a slow pace in the toolbar you can watch the tiles.</source>
        <translation>Bei diesem Schritt ist keine Kachel dieses Kopfes gezeichnet. Starte mit der Leertaste. Mit einem langsamen Tempo in der Werkzeugleiste kannst du den Kacheln zusehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>Of its %1 pairs of query and key, %2 count; the others are masked or padding.</source>
        <translation>Von ihren %1 Paaren aus Query und Key zählen %2; die anderen sind maskiert oder Padding.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>One query row</source>
        <translation>Eine Query-Zeile</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>One tile has all keys of this row, so nothing was scaled. flash_prefill takes at most %1 keys in a tile: a row that sees more has several tiles.</source>
        <translation>Eine Kachel enthält alle Keys dieser Zeile, darum wurde nichts umgerechnet. flash_prefill nimmt höchstens %1 Keys in eine Kachel: Eine Zeile, die mehr sieht, hat mehrere Kacheln.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>The keys of this row were cut into parts; the table has %1. Each part has a largest score, m, and a sum of exp(score − m), d, of its own. At the end they are merged: m is then the largest of all, %2, and d is %3.</source>
        <translation>Die Keys dieser Zeile wurden in Teile zerlegt; die Tabelle hat %1. Jeder Teil hat einen eigenen größten Score, m, und eine eigene Summe von exp(Score − m), d. Am Ende werden sie verbunden: m ist dann das größte von allen, %2, und d ist %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>The newest tile</source>
        <translation>Die neueste Kachel</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>The row of query %1 is in %2 drawn so far. A click on another row shows that one.</source>
        <translation>Die Zeile von Query %1 ist in %2 von denen, die gezeichnet sind. Ein Klick auf eine andere Zeile zeigt diese.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>The running softmax</source>
        <translation>Der laufende Softmax</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>The slider goes to an earlier or later tile of this head; there are %1. The keys Left and Right do so one tile at a time.</source>
        <translation>Der Schieber geht zu einer früheren oder späteren Kachel dieses Kopfes; es gibt %1. Die Tasten Links und Rechts tun das um je eine Kachel.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>The strip shows the pages of these keys: a page is the part that lies in one block of the cache, up to %2 keys. There are %1. Where there is room, a page shows the number of its block, as long as the request holds it.</source>
        <translation>Der Streifen zeigt die Seiten dieser Keys: Eine Seite ist der Teil, der in einem Block des Caches liegt, bis zu %2 Keys. Es sind %1. Wo Platz ist, zeigt eine Seite die Nummer ihres Blocks, solange die Anfrage ihn hält.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>This tile covers %1 and was computed by worker %2 in %3.</source>
        <translation>Diese Kachel umfasst %1 und wurde von Worker %2 in %3 berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>Tile by tile</source>
        <translation>Kachel für Kachel</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>Where the keys lie</source>
        <translation>Wo die Keys liegen</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>queries %1 to %2 and keys %3 to %4</source>
        <translation>Queries %1 bis %2 und Keys %3 bis %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_tour.cpp"/>
        <source>query %1 and keys %2 to %3</source>
        <translation>Query %1 und Keys %2 bis %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>At step %1 nothing of this sequence had been computed.</source>
        <translation>Bei Schritt %1 war nichts von dieser Sequenz berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Back and forward by one tile</source>
        <translation>Eine Kachel zurück und vor</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Back by one tile (Left)</source>
        <translation>Eine Kachel zurück (Links)</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Choose the row whose softmax is shown</source>
        <translation>Die Zeile wählen, deren Softmax zu sehen ist</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Follow the newest tile</source>
        <translation>Der neuesten Kachel folgen</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Follow the newest tile (L)</source>
        <translation>Der neuesten Kachel folgen (L)</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Forward by one tile (Right)</source>
        <translation>Eine Kachel vor (Rechts)</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Go from tile to tile with Left and Right, and follow the softmax of a row.</source>
        <translation>Geh mit Links und Rechts von Kachel zu Kachel und folge der Softmax einer Zeile.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>L, End</source>
        <translation>L, Ende</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Next tile</source>
        <translation>Nächste Kachel</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Previous tile</source>
        <translation>Vorige Kachel</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Show all tiles</source>
        <translation>Alle Kacheln zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Show all tiles (Home)</source>
        <translation>Alle Kacheln zeigen (Pos1)</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Show the tiles of the kernel</source>
        <translation>Die Kacheln des Kernels zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>The last tile that is drawn; drag to draw fewer or more</source>
        <translation>Die letzte gezeichnete Kachel; zieh, um weniger oder mehr zu zeichnen</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>The tiles of the shown head appear here when they have been computed.</source>
        <translation>Die Kacheln des gezeigten Kopfes erscheinen hier, wenn sie berechnet sind.</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>Up, Down, click</source>
        <translation>Auf, Ab, Klick</translation>
    </message>
    <message>
        <location filename="../../gui/views/tiles/tiles_view.cpp"/>
        <source>step %1 on a %2, modelled: %3 per layer</source>
        <translation>Schritt %1 auf einer %2, modelliert: %3 pro Schicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/minimap/minimap.cpp"/>
        <source>Map of the whole run</source>
        <translation>Karte des ganzen Laufs</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/minimap/minimap.cpp"/>
        <source>The timeline shows %1</source>
        <translation>Die Zeitachse zeigt %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/minimap/minimap.cpp"/>
        <source>The whole run: how much of the time the row “kernels” is busy, in its colours. Drag the frame or one of its edges; click to go there; the wheel zooms; a double click shows all</source>
        <translation>Der ganze Lauf: wie viel der Zeit die Zeile „Kernel“ beschäftigt ist, in ihren Farben. Zieh den Rahmen oder eine seiner Kanten; ein Klick geht dorthin; das Rad vergrößert; ein Doppelklick zeigt alles</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/minimap/minimap.cpp"/>
        <source>whole run</source>
        <translation>ganzer Lauf</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <source>&lt;qt&gt;Events that touch the range, and the sum of their parts inside it. Do not add groups: a step contains its kernels, and a kernel contains tiles and tasks. The sum of several workers or requests can be more than the range is long. Tokens: computed by the steps that touch the range; of requests, generated in the range.&lt;/qt&gt;</source>
        <translation>&lt;qt&gt;Ereignisse, die den Bereich berühren, und die Summe ihrer Teile darin. Addiere keine Gruppen: Ein Schritt enthält seine Kernel, und ein Kernel enthält Kacheln und Aufgaben. Die Summe mehrerer Worker oder Anfragen kann größer sein als der Bereich. Token: berechnet von den Schritten, die den Bereich berühren; von Anfragen: im Bereich erzeugt.&lt;/qt&gt;</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Clear the range</source>
        <translation>Den Bereich aufheben</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <source>Clear the range (Esc)</source>
        <translation>Den Bereich aufheben (Esc)</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <source>Copy sums</source>
        <translation>Summen kopieren</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Copy the sums of the range</source>
        <translation>Die Summen des Bereichs kopieren</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <source>Copy the sums of the range as CSV</source>
        <translation>Die Summen des Bereichs als CSV kopieren</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <source>Fold into one line</source>
        <translation>Zu einer Zeile falten</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <source>Fold the table of sums</source>
        <translation>Die Tabelle der Summen falten</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <source>Show the table beside the lanes</source>
        <translation>Die Tabelle neben den Zeilen zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <source>Show the table of sums</source>
        <translation>Die Tabelle der Summen zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <source>Sums by class of event</source>
        <translation>Summen nach Klassen von Ereignissen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <source>Sums of the selected range</source>
        <translation>Summen des ausgewählten Bereichs</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <source>The range is later than the step that is shown.</source>
        <translation>Der Bereich liegt später als der gezeigte Schritt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <source>There is no event in the range.</source>
        <translation>Im Bereich ist kein Ereignis.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Zoom to the range</source>
        <translation>Auf den Bereich vergrößern</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_panel.cpp"/>
        <source>Zoom to the range (Enter)</source>
        <translation>Auf den Bereich vergrößern (Eingabe)</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_sums.cpp"/>
        <location filename="../../gui/views/timeline/timeline_painter.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>engine steps</source>
        <translation>Engine-Schritte</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_sums.cpp"/>
        <source>events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_sums.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_sums.cpp"/>
        <source>modelled sum</source>
        <translation>modellierte Summe</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_sums.cpp"/>
        <source>of the range</source>
        <translation>des Bereichs</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/range_sums.cpp"/>
        <source>workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/range/time_range.cpp"/>
        <source>%1 – %2: %3</source>
        <translation>%1 – %2: %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/search/search_bar.cpp"/>
        <source>&lt;qt&gt;Finds the spans that have all these words in the name of the event, kernel or state, in the lane or the request, or as &lt;b&gt;layer 3&lt;/b&gt;, &lt;b&gt;head 0&lt;/b&gt; or &lt;b&gt;step&lt;/b&gt; with its number. Enter and F3 go to the next one, with Shift to the one before; Esc closes.&lt;/qt&gt;</source>
        <translation>&lt;qt&gt;Findet die Balken, die alle diese Wörter im Namen des Ereignisses, Kernels oder Zustands, in der Zeile oder in der Anfrage haben, oder als &lt;b&gt;Schicht 3&lt;/b&gt;, &lt;b&gt;Kopf 0&lt;/b&gt; oder &lt;b&gt;Schritt&lt;/b&gt; mit seiner Nummer. Eingabe und F3 gehen zum nächsten, mit Umschalt zum vorigen; Esc schließt.&lt;/qt&gt;</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/search/search_bar.cpp"/>
        <source>Close the search</source>
        <translation>Die Suche schließen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/search/search_bar.cpp"/>
        <source>Close the search (Esc)</source>
        <translation>Die Suche schließen (Esc)</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/search/search_bar.cpp"/>
        <source>Find in the timeline</source>
        <translation>In der Zeitachse suchen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/search/search_bar.cpp"/>
        <source>Find: flash layer 3</source>
        <translation>Suche: flash Schicht 3</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/search/search_bar.cpp"/>
        <source>Next match</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/search/search_bar.cpp"/>
        <source>Next match (F3)</source>
        <translation>Nächster Treffer (F3)</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/search/search_bar.cpp"/>
        <source>Previous match</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/search/search_bar.cpp"/>
        <source>Previous match (Shift+F3)</source>
        <translation>Voriger Treffer (Umschalt+F3)</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/search/search_terms.cpp"/>
        <source>worker</source>
        <translation>Worker</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_canvas.cpp"/>
        <source>%1 selected; %2: %3, sum %4, %5% of the range</source>
        <translation>%1 ausgewählt; %2: %3, Summe %4, %5% des Bereichs</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_canvas.cpp"/>
        <source>%1 spans</source>
        <translation>%1 Balken</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_canvas.cpp"/>
        <source>1 span</source>
        <translation>1 Balken</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_canvas.cpp"/>
        <source>Nothing has run yet</source>
        <translation>Noch ist nichts gelaufen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_canvas.cpp"/>
        <source>Requests, steps, kernels and tiles appear here as bars. Press Space to run.</source>
        <translation>Anfragen, Schritte, Kernel und Kacheln erscheinen hier als Balken. Drücke die Leertaste zum Starten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_input.cpp"/>
        <source>Press or drag to move the time cursor: the views show the step at that time</source>
        <translation>Klick oder zieh, um den Zeitpunkt zu verschieben: Die Ansichten zeigen den Schritt zu dieser Zeit</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_input.cpp"/>
        <source>blocks used</source>
        <translation>belegte Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_input.cpp"/>
        <source>spans</source>
        <translation>Balken</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_input.cpp"/>
        <source>time of the step, ns</source>
        <translation>Zeit des Schritts, ns</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_input.cpp"/>
        <source>tokens of the step</source>
        <translation>Token des Schritts</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_model.cpp"/>
        <source>cache write</source>
        <translation>Cache schreiben</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_model.cpp"/>
        <source>copy, swap</source>
        <translation>kopieren, auslagern</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_model.cpp"/>
        <source>linear</source>
        <translation>linear</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_model.cpp"/>
        <source>other kernels</source>
        <translation>andere Kernel</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_model.cpp"/>
        <source>prefill and decode</source>
        <translation>Prefill und Decode</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_model.cpp"/>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>scheduler</source>
        <translation>Scheduler</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_painter.cpp"/>
        <source>later</source>
        <translation>später</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_painter.cpp"/>
        <source>tokens computed/s</source>
        <translation>berechnete Token/s</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>%1 (%2 in %3)</source>
        <translation>%1 (%2 in %3)</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>%1 of %2 blocks used</source>
        <translation>%1 von %2 Blöcken belegt</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>%1 prefill, %2 decode</source>
        <translation>%1 Prefill, %2 Decode</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>%1 spans, each narrower than 2 pixels</source>
        <translation>%1 Balken, jeder schmaler als 2 Bildpunkte</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>%1 to %2 (%3)</source>
        <translation>%1 bis %2 (%3)</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>%1, attention of all layers in bf16</source>
        <translation>%1, Attention aller Schichten in bf16</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>%1, captured plan of %2</source>
        <translation>%1, aufgezeichneter Plan für %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>%1, computed for this step</source>
        <translation>%1, für diesen Schritt berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>%1, layer %2</source>
        <translation>%1, Schicht %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>%1, modelled</source>
        <translation>%1, modelliert</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>After engine step %1</source>
        <translation>Nach Engine-Schritt %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Begin</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Both in one step (chunked prefill): the heights of the two colours are the shares of prefill and decode tokens.</source>
        <translation>Beides in einem Schritt (chunked prefill): Die Höhen der beiden Farben sind die Anteile der Prefill- und Decode-Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Busy</source>
        <translation>Beschäftigt</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Cache write: the keys and values of new tokens are written to their slots.</source>
        <translation>Cache schreiben: Die Keys und Values neuer Token werden in ihre Slots geschrieben.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Copy: blocks are copied (copy-on-write), their content is moved to the swap pool or back, or pages of the cache are fetched for a kernel.</source>
        <translation>Kopie: Blöcke werden kopiert (Copy-on-Write), ihr Inhalt wird ausgelagert oder zurückgeholt, oder Seiten des Caches werden für einen Kernel geholt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Decode tokens</source>
        <translation>Decode-Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Decode: one new token per sequence is computed in a step.</source>
        <translation>Decode: In einem Schritt wird ein neues Token pro Sequenz berechnet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Each token of this prompt is %1, so its row has no weights.</source>
        <translation>Jedes Token dieses Prompts ist %1; darum hat seine Zeile keine Gewichte.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Engine step %1</source>
        <translation>Engine-Schritt %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Free blocks</source>
        <translation>Freie Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Kernel %1</source>
        <translation>Kernel %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Lane</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Linear: a matrix product with weights of the model.</source>
        <translation>Linear: ein Matrixprodukt mit Gewichten des Modells.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Most time</source>
        <translation>Meiste Zeit</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Other work, such as norm, rotary positions, logits or sampling.</source>
        <translation>Andere Arbeit, etwa Norm, Rotary-Positionen, Logits oder Ziehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Plan replayed: the integers of the batch (lengths, slots, block tables), written into a captured plan</source>
        <translation>Plan abgespielt: die Zahlen des Batches (Längen, Slots, Blocktabellen), in einen aufgezeichneten Plan geschrieben</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Plan: the integers of the batch (lengths, slots, block tables), computed for this step</source>
        <translation>Plan: die Zahlen des Batches (Längen, Slots, Blocktabellen), für diesen Schritt berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Planning</source>
        <translation>Planen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Preempted: the request gave its blocks back and waits to be computed again.</source>
        <translation>Verdrängt: Die Anfrage hat ihre Blöcke zurückgegeben und wartet darauf, neu berechnet zu werden.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Prefill tokens</source>
        <translation>Prefill-Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Prefill: tokens of a prompt are computed, in one step or in chunks; after a preemption also tokens that were generated before it.</source>
        <translation>Prefill: Token eines Prompts werden berechnet, in einem Schritt oder in Stücken; nach einer Verdrängung auch Token, die davor erzeugt wurden.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Queries</source>
        <translation>Queries</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Queued: the request waits to be scheduled.</source>
        <translation>In der Warteschlange: Die Anfrage wartet darauf, eingeplant zu werden.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Request %1: when it was queued, in prefill, in decode, preempted or swapped out. The marks are generated tokens.</source>
        <translation>Anfrage %1: wann sie eingereiht war, im Prefill, im Decode, verdrängt oder ausgelagert. Die Marken sind erzeugte Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Running, waiting, swapped out</source>
        <translation>Laufend, wartend, ausgelagert</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Scheduler and block manager</source>
        <translation>Scheduler und Blockverwaltung</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Sequences</source>
        <translation>Sequenzen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>So far</source>
        <translation>Bisher</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Swapped: the request waits, and the content of its blocks is in the swap pool.</source>
        <translation>Ausgelagert: Die Anfrage wartet, und der Inhalt ihrer Blöcke liegt im Auslagerungsspeicher.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Task of %1</source>
        <translation>Aufgabe von %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>The attention tiles and kernel tasks that this worker thread computed, and the pages that it fetched.</source>
        <translation>Die Attention-Kacheln und Kernel-Aufgaben, die dieser Worker-Thread berechnet hat, und die Seiten, die er geholt hat.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>The engine thread: the scheduler and the kernels of the steps, one after another.</source>
        <translation>Der Thread der Engine: der Scheduler und die Kernel der Schritte, nacheinander.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>The scheduler plans the step, and the block manager allocates the blocks it needs. The plan of the batch (lengths, slots, block tables) has this colour, too.</source>
        <translation>Der Scheduler plant den Schritt, und die Blockverwaltung vergibt die nötigen Blöcke. Auch der Plan des Batches (Längen, Slots, Blocktabellen) hat diese Farbe.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>The steps of the engine, one after another.</source>
        <translation>Die Schritte der Engine, einer nach dem anderen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Tile of %1</source>
        <translation>Kachel von %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Tokens computed per second</source>
        <translation>Pro Sekunde berechnete Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>What the backend did beside its kernels, such as building a mask or bias, splitting a batch into calls or replaying a plan.</source>
        <translation>Was das Backend neben seinen Kernels tat, etwa eine Maske oder einen Bias bauen, einen Batch in Aufrufe teilen oder einen Plan abspielen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>Zoom in to see them one by one.</source>
        <translation>Vergrößere, um sie einzeln zu sehen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>about %1 %</source>
        <translation>etwa %1 %</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>fetch</source>
        <translation>Holen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>layer %1, %2: q %3 × k %4</source>
        <translation>Schicht %1, %2: q %3 × k %4</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>marks</source>
        <translation>Marken</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>no query</source>
        <translation>ohne Query</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>page %1 fetched</source>
        <translation>Seite %1 geholt</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>pages %1–%2 fetched</source>
        <translation>Seiten %1–%2 geholt</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_text.cpp"/>
        <source>q %1 × k %2</source>
        <translation>q %1 × k %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>A click on the ruler takes the views to the step of that moment. Now they show step %1. Ctrl+wheel zooms in at the pointer, down to a single tile.</source>
        <translation>Ein Klick auf das Lineal bringt die Ansichten zum Schritt dieses Moments. Jetzt zeigen sie Schritt %1. Strg+Rad vergrößert am Zeiger, bis zu einer einzelnen Kachel.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>A request</source>
        <translation>Eine Anfrage</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>A step computes one batch. Step %1 took %2 and computed %3 prefill tokens and %4 decode tokens, for %5.</source>
        <translation>Ein Schritt berechnet einen Batch. Schritt %1 dauerte %2 und berechnete %3 Prefill-Token und %4 Decode-Token, für %5.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>A worker</source>
        <translation>Ein Worker</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>Go back in time</source>
        <translation>Zurück in der Zeit</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>It has no token yet.</source>
        <translation>Sie hat noch kein Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>Nothing has been computed yet, so there is no time to show. Press Space to run the scenario.</source>
        <translation>Noch ist nichts berechnet, darum gibt es keine Zeit zu zeigen. Starte das Szenario mit der Leertaste.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>The cache over time</source>
        <translation>Der Cache über der Zeit</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>The first token came %1 after the request arrived.</source>
        <translation>Das erste Token kam %1 nach der Ankunft der Anfrage.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>The height is the number of blocks in use. After step %1 there were %2 of %3.</source>
        <translation>Die Höhe ist die Zahl der belegten Blöcke. Nach Schritt %1 waren es %2 von %3.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>The steps</source>
        <translation>Die Schritte</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>The times come from a cost model, not from a clock.</source>
        <translation>Die Zeiten kommen aus einem Kostenmodell, nicht von einer Uhr.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>The times were measured.</source>
        <translation>Die Zeiten sind gemessen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>Time goes from left to right, from 0 to %1. Each of the %2 lanes belongs to a request, to the engine or to a worker. The bars of a request are its states, such as queued or decode; the other bars are work that was done. %3</source>
        <translation>Die Zeit geht von links nach rechts, von 0 bis %1. Jede der %2 Zeilen gehört zu einer Anfrage, zur Engine oder zu einem Worker. Die Balken einer Anfrage sind ihre Zustände, etwa eingereiht oder Decode; die anderen Balken sind getane Arbeit. %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>Who did what, and when</source>
        <translation>Wer was wann tat</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>Workers are threads that compute the kernels. %1 did %2 tiles, tasks and page fetches, which took %3 together.</source>
        <translation>Worker sind Threads, die die Kernel berechnen. „%1“ erledigte %2 Kacheln, Aufgaben und Seitenkopien, die zusammen %3 dauerten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_tour.cpp"/>
        <source>“%1” arrived at %2. %3 The bars show whether it waited, read its prompt or generated; it has %4 tokens now.</source>
        <translation>„%1“ kam bei %2 an. %3 Die Balken zeigen, ob sie wartete, ihren Prompt las oder erzeugte; jetzt hat sie %4 Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>%1 found</source>
        <translation>%1 gefunden</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Begin or end the range: at the pointer, else at the selected span, the time cursor or the edge of what is visible</source>
        <translation>Den Bereich beginnen oder beenden: am Zeiger, sonst am ausgewählten Balken, am Zeitpunkt oder am Rand des Sichtbaren</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Begin the range here</source>
        <translation>Den Bereich hier beginnen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Clear the range, then the search, then the selection</source>
        <translation>Den Bereich aufheben, dann die Suche, dann die Auswahl</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Copy events, times and tokens of the selected range by class, as CSV</source>
        <translation>Ereignisse, Zeiten und Token des ausgewählten Bereichs nach Klassen als CSV kopieren</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Ctrl+F</source>
        <translation>Strg+F</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Ctrl+wheel, W, S, +, -</source>
        <translation>Strg+Rad, W, S, +, -</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Double-click, F, Enter</source>
        <translation>Doppelklick, F, Eingabe</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Drag on the map</source>
        <translation>In der Karte ziehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Drag on the ruler</source>
        <translation>Im Lineal ziehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>End the range here</source>
        <translation>Den Bereich hier beenden</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>F3, Shift+F3</source>
        <translation>F3, Umschalt+F3</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Find in the timeline…</source>
        <translation>In der Zeitachse suchen…</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Find: mark the spans that match typed words</source>
        <translation>Suchen: die Balken markieren, zu denen getippte Wörter passen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Fit the range, the span or what is selected elsewhere; double-click beside spans: the whole run</source>
        <translation>Den Bereich, den Balken oder das anderswo Ausgewählte einpassen; Doppelklick neben den Balken: den ganzen Lauf</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Follow the newest time</source>
        <translation>Der neuesten Zeit folgen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Left, Right (, and .)</source>
        <translation>Links, Rechts (, und .)</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Left-drag, Shift+drag</source>
        <translation>Mit links ziehen, Umschalt+Ziehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Legend of the timeline</source>
        <translation>Legende der Zeitachse</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Let the range of time begin here ([)</source>
        <translation>Den Zeitbereich hier beginnen lassen ([)</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Let the range of time end here (])</source>
        <translation>Den Zeitbereich hier enden lassen (])</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Mark the spans that match typed words (Ctrl+F)</source>
        <translation>Die Balken markieren, zu denen getippte Wörter passen (Strg+F)</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Move the time cursor: the views show that step</source>
        <translation>Den Zeitpunkt verschieben: Die Ansichten zeigen diesen Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Move the visible part, or one of its edges; a click goes there</source>
        <translation>Den sichtbaren Teil oder eine seiner Kanten verschieben; ein Klick geht dorthin</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Next or previous match; in the line also Enter, Shift+Enter</source>
        <translation>Nächster oder voriger Treffer; im Feld auch Eingabe, Umschalt+Eingabe</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Nothing recorded yet</source>
        <translation>Noch nichts aufgezeichnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Previous or next span of the lane</source>
        <translation>Voriger oder nächster Balken der Zeile</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Scroll along with the run (L). Zooming or panning switches this off.</source>
        <translation>Mit dem Lauf mitrollen (L). Vergrößern oder Verschieben schaltet das aus.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Scroll the lanes</source>
        <translation>Die Zeilen rollen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Select a range of time, and see sums for it; with Shift also on the ruler</source>
        <translation>Einen Zeitbereich auswählen und Summen dafür sehen; mit Umschalt auch im Lineal</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Select a span</source>
        <translation>Einen Balken auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Select no range of time (Esc)</source>
        <translation>Keinen Zeitbereich auswählen (Esc)</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Shift+wheel, A, D, middle-drag</source>
        <translation>Umschalt+Rad, A, D, mit der mittleren Taste ziehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Show all</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Show all (Home)</source>
        <translation>Alles zeigen (Pos1)</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Show all of the run</source>
        <translation>Den ganzen Lauf zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Show the selected range of time (Enter)</source>
        <translation>Den ausgewählten Zeitbereich zeigen (Eingabe)</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Span in the lane above or below</source>
        <translation>Balken in der Zeile darüber oder darunter</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Time goes to the right. A bar is a state of a request or a piece of work; its row says whose.</source>
        <translation>Die Zeit geht nach rechts. Ein Balken ist ein Zustand einer Anfrage oder eine Arbeit; seine Zeile sagt, wessen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>Timeline › %1</source>
        <translation>Zeitachse › %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>[, ]</source>
        <translation>[, ]</translation>
    </message>
    <message>
        <location filename="../../gui/views/timeline/timeline_view.cpp"/>
        <source>no match</source>
        <translation>kein Treffer</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_canvas.cpp"/>
        <source>Position in the text</source>
        <translation>Stelle im Text</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_canvas.cpp"/>
        <source>Prompt and answer as text</source>
        <translation>Prompt und Antwort als Text</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_painter.cpp"/>
        <source> (the end of the text)</source>
        <translation> (das Ende des Textes)</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_painter.cpp"/>
        <source>The decoder reads and writes</source>
        <translation>Der Decoder liest und schreibt</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_painter.cpp"/>
        <source>The encoder reads</source>
        <translation>Der Encoder liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_painter.cpp"/>
        <source>generated, %1 tokens</source>
        <translation>erzeugt, %1 Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_painter.cpp"/>
        <source>generated, 1 token</source>
        <translation>erzeugt, 1 Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_painter.cpp"/>
        <source>key, token %1</source>
        <translation>Key, Token %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_painter.cpp"/>
        <source>prompt, %1 tokens</source>
        <translation>Prompt, %1 Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_painter.cpp"/>
        <source>prompt, 1 token</source>
        <translation>Prompt, 1 Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_painter.cpp"/>
        <source>query, token %1</source>
        <translation>Query, Token %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_painter.cpp"/>
        <source>read by the encoder</source>
        <translation>vom Encoder gelesen</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_painter.cpp"/>
        <source>weight 0 to %1, layer %2, head %3</source>
        <translation>Gewicht 0 bis %1, Schicht %2, Kopf %3</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_painter.cpp"/>
        <source>weight NaN, layer %1, head %2</source>
        <translation>Gewicht NaN, Schicht %1, Kopf %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_scene.cpp"/>
        <source>%1 generated</source>
        <translation>%1 erzeugt</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_scene.cpp"/>
        <source>%1 tokens of the encoder's input</source>
        <translation>%1 Token der Eingabe des Encoders</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_scene.cpp"/>
        <source>%1 tokens of the prompt</source>
        <translation>%1 Token des Prompts</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_scene.cpp"/>
        <source>%1 tokens with which the decoder begins</source>
        <translation>%1 Token, mit denen der Decoder beginnt</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_scene.cpp"/>
        <source>1 generated</source>
        <translation>1 erzeugt</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_scene.cpp"/>
        <source>1 token of the encoder's input</source>
        <translation>1 Token der Eingabe des Encoders</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_scene.cpp"/>
        <source>1 token of the prompt</source>
        <translation>1 Token des Prompts</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_scene.cpp"/>
        <source>1 token with which the decoder begins</source>
        <translation>1 Token, mit dem der Decoder beginnt</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_scene.cpp"/>
        <source>id %1, text %2</source>
        <translation>ID %1, Text %2</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_scene.cpp"/>
        <source>one byte of the text</source>
        <translation>ein Byte des Textes</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_scene.cpp"/>
        <source>token %1 of the encoder's input</source>
        <translation>Token %1 der Eingabe des Encoders</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_scene.cpp"/>
        <source>token %1, generated</source>
        <translation>Token %1, erzeugt</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_scene.cpp"/>
        <source>token %1, of the prompt</source>
        <translation>Token %1, aus dem Prompt</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_scene.cpp"/>
        <source>weight %1, with which token %2 reads it (layer %3, head %4)</source>
        <translation>Gewicht %1, mit dem Token %2 es liest (Schicht %3, Kopf %4)</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>A token</source>
        <translation>Ein Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>Colours show how much token %1 reads of the others in layer %2, head %3. It reads token %4 most, with the weight %5.</source>
        <translation>Die Farben zeigen, wie viel Token %1 in Schicht %2, Kopf %3 von den anderen liest. Am meisten liest es Token %4, mit dem Gewicht %5.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>If the text goes on, the model reads this token to write the next one.</source>
        <translation>Wenn der Text weitergeht, liest das Modell dieses Token, um das nächste zu schreiben.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>If this switch is on, click a token: if its row in the shown head is computed, colours show how much it reads of the others.</source>
        <translation>Wenn dieser Schalter an ist, klicke auf ein Token: Ist seine Zeile im gezeigten Kopf berechnet, zeigen Farben, wie viel es von den anderen liest.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>The newest token</source>
        <translation>Das neueste Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>The prompt has %1 tokens. Token %2 is the first that the model wrote itself; %3 are written so far.</source>
        <translation>Der Prompt hat %1 Token. Token %2 ist das erste, das das Modell selbst schrieb; bisher sind %3 geschrieben.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>The text, as the model has it</source>
        <translation>Der Text, wie ihn das Modell hat</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>The weights with which token %1 reads the others in layer %2, head %3 are NaN, not numbers, because a score is NaN or infinite.</source>
        <translation>Die Gewichte, mit denen Token %1 in Schicht %2, Kopf %3 die anderen liest, sind NaN, also keine Zahlen, weil ein Score NaN oder unendlich ist.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>There is no text of the shown request at this step. Press Space to run, or move the slider in the status line to a later step.</source>
        <translation>Bei diesem Schritt gibt es keinen Text der gezeigten Anfrage. Starte mit der Leertaste, oder gehe mit dem Schieber in der Statuszeile zu einem späteren Schritt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>This is “%1”: %2. A model reads text as tokens: pieces of text that its vocabulary has.</source>
        <translation>Das ist „%1“: %2. Ein Modell liest Text als Token: Textstücke, die sein Vokabular hat.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>This switch shows where one token ends and the next one begins.</source>
        <translation>Dieser Schalter zeigt, wo ein Token endet und das nächste beginnt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>Token %1 has the number %2 in the vocabulary. The number before its text is its position, counted from 0.</source>
        <translation>Token %1 hat im Vokabular die Nummer %2. Die Zahl vor seinem Text ist seine Position, ab 0 gezählt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>Token %1 is the first that the decoder wrote itself; %2 are written so far.</source>
        <translation>Token %1 ist das erste, das der Decoder selbst schrieb; bisher sind %2 geschrieben.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>Token %1 stands at the end now.</source>
        <translation>Token %1 steht jetzt am Ende.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>What a token reads</source>
        <translation>Was ein Token liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>What the selected token reads</source>
        <translation>Was das ausgewählte Token liest</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>Where a token ends</source>
        <translation>Wo ein Token endet</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_tour.cpp"/>
        <source>Where the model goes on</source>
        <translation>Wo das Modell weiterschreibt</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>At step %1 this request had not arrived.</source>
        <translation>Bei Schritt %1 war diese Anfrage noch nicht da.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Double-click beside the words, F</source>
        <translation>Doppelklick neben die Wörter, F</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>End, L</source>
        <translation>Ende, L</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Follow the newest token</source>
        <translation>Dem neuesten Token folgen</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Go to the beginning</source>
        <translation>Zum Anfang gehen</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Mark it in other views; tooltip: position, id, text</source>
        <translation>In anderen Ansichten markieren; Tooltip: Position, ID, Text</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>No words yet</source>
        <translation>Noch keine Wörter</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Select the token as a key of the selected one</source>
        <translation>Das Token als Key des ausgewählten auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Select the token before, after, above, below</source>
        <translation>Das Token davor, danach, darüber, darunter auswählen</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Select the token; again: clear the selection</source>
        <translation>Das Token auswählen; noch einmal: Auswahl aufheben</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Shade the other tokens by how much the selected one reads of them, if its row in the shown head is computed (W)</source>
        <translation>Die anderen Token danach färben, wie viel das ausgewählte von ihnen liest, wenn seine Zeile im gezeigten Kopf berechnet ist (W)</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Shift+click</source>
        <translation>Umschalt+Klick</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Show prompt and answer as text</source>
        <translation>Prompt und Antwort als Text zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Show where one token ends and the next begins (T)</source>
        <translation>Zeigen, wo ein Token endet und das nächste beginnt (T)</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>T, W</source>
        <translation>T, W</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Tell the tokens apart</source>
        <translation>Token trennen</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Tell the tokens apart, or not; show weights, or not</source>
        <translation>Token trennen oder nicht; Gewichte zeigen oder nicht</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Text in its usual size, at the newest token</source>
        <translation>Text in üblicher Größe, beim neuesten Token</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>The text of the shown request appears here.</source>
        <translation>Hier erscheint der Text der gezeigten Anfrage.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>There are no words yet.</source>
        <translation>Noch gibt es keine Wörter.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>Weights of the selected token</source>
        <translation>Gewichte des ausgewählten Tokens</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <source>With Weights on, click a token: if its row is computed, the tokens that it reads are shaded.</source>
        <translation>Klick bei eingeschalteten Gewichten auf ein Token: Ist seine Zeile berechnet, werden die Token gefärbt, die es liest.</translation>
    </message>
    <message>
        <location filename="../../gui/views/words/words_view.cpp"/>
        <location filename="../../gui/views/words/words_view.h"/>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/cache_note.cpp"/>
        <source>KV heads have scales of their own, from the scenario file. A number beyond ±%1 × its scale saturates: it becomes the largest that fits. The run warns if some did.</source>
        <translation>KV-Köpfe haben eigene Skalen, aus der Szenariodatei. Eine Zahl jenseits von ±%1 × ihrer Skala wird gesättigt: Sie wird zur größten, die passt. Der Lauf warnt, wenn es welche gab.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/cache_note.cpp"/>
        <source>Keys up to ±%1 × %2 = %3 and values up to ±%1 × %4 = %5 fit. Larger numbers saturate: they become the largest that fits. The run warns if some did.</source>
        <translation>Keys bis ±%1 × %2 = %3 und Values bis ±%1 × %4 = %5 passen. Größere Zahlen werden gesättigt: Sie werden zur größten, die passt. Der Lauf warnt, wenn es welche gab.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/description.cpp"/>
        <source>Less</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/description.cpp"/>
        <location filename="../../gui/views/workload/more_section.cpp"/>
        <location filename="../../gui/views/workload/scenario_list.cpp"/>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/description.cpp"/>
        <source>More about the scenario</source>
        <translation>Mehr über das Szenario</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/description.cpp"/>
        <source>Show only the first sentence</source>
        <translation>Nur den ersten Satz zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/description.cpp"/>
        <source>Show the whole description of the scenario</source>
        <translation>Die ganze Beschreibung des Szenarios zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/field.cpp"/>
        <source>`%1` is not a number.</source>
        <translation>`%1` ist keine Zahl.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/field.cpp"/>
        <source>`%1` is not a whole number written in digits.</source>
        <translation>`%1` ist keine ganze Zahl in Ziffern.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/field.cpp"/>
        <source>`%1` is too large.</source>
        <translation>`%1` ist zu groß.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/field.cpp"/>
        <source>`%1` is too small.</source>
        <translation>`%1` ist zu klein.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/field.cpp"/>
        <source>`%1` is too small: the smallest value is %2.</source>
        <translation>`%1` ist zu klein: Der kleinste Wert ist %2.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>0 none</source>
        <translation>0 keine</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>0.001 to 1000000; 0 switches it off.</source>
        <translation>0.001 bis 1000000; 0 schaltet ihn aus.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>A query sees up to this many of the last blocks, its own among them, and every n-th one before. 1 to %1.</source>
        <translation>Eine Query sieht bis zu so viele der letzten Blöcke, ihren eigenen darunter, und davor jeden n-ten. 1 bis %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>A score becomes cap × tanh(score ÷ cap), which lies between −cap and cap; ALiBi is added after that.</source>
        <translation>Ein Score wird zu Cap × tanh(Score ÷ Cap), was zwischen −Cap und Cap liegt; ALiBi kommt danach hinzu.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>A sink adds one logit without a key to the softmax of a row. The weight that the sink takes goes to no token.</source>
        <translation>Eine Senke fügt der Softmax einer Zeile einen Logit ohne Key hinzu. Das Gewicht, das die Senke nimmt, geht an kein Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Attention with linear biases: slope × (key − query), the difference of their positions, is added to every score. Every head has its own slope.</source>
        <translation>Attention mit linearen Biases: Steigung × (Key − Query), die Differenz ihrer Positionen, wird zu jedem Score addiert. Jeder Kopf hat seine eigene Steigung.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Cross</source>
        <translation>Cross</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Decoder</source>
        <translation>Decoder</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Decoder: a token can see itself and the tokens before it. Encoder: a token can also see the tokens after it; there is no KV cache, and no text is generated. Cross: in cross attention the tokens of the decoder see the tokens of an encoder, whose keys and values are in the cache.</source>
        <translation>Decoder: Ein Token kann sich selbst und die Token davor sehen. Encoder: Ein Token kann auch die Token danach sehen; es gibt keinen KV-Cache, und es wird kein Text erzeugt. Cross: In Cross-Attention sehen die Token des Decoders die Token eines Encoders, dessen Keys und Values im Cache sind.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Head step</source>
        <translation>Head-Schritt</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Keys are taken in blocks. A query sees the last blocks up to its own and, of those before them, only every n-th one.</source>
        <translation>Die Keys werden in Blöcken genommen. Eine Query sieht die letzten Blöcke bis zu ihrem eigenen und von denen davor nur jeden n-ten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Local blocks</source>
        <translation>Nahe Blöcke</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Moves the stripes by this many blocks from one head to the next. 0 to %1; 0 means that all heads have the same stripes.</source>
        <translation>Verschiebt die Streifen von einem Kopf zum nächsten um so viele Blöcke. 0 bis %1; 0 heißt, dass alle Köpfe dieselben Streifen haben.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Not for cross attention.</source>
        <translation>Nicht bei Cross-Attention.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Of the blocks before the local ones a query sees every n-th: in head 0 block n − 1, 2n − 1 and so on. 1 to %1; 1 means all.</source>
        <translation>Von den Blöcken vor den nahen sieht eine Query jeden n-ten: in Kopf 0 Block n − 1, 2n − 1 und so weiter. 1 bis %1; 1 heißt alle.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Sink</source>
        <translation>Senke</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Sink logit</source>
        <translation>Logit der Senke</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Sliding window of N tokens: of the tokens before it a token sees at most the last N − 1, unless the backend ignores the window. 1 to %1 tokens; 0: no window. Layers for which the model has its own setting keep it.</source>
        <translation>Gleitendes Fenster von N Token: Von den Token davor sieht ein Token höchstens die letzten N − 1, wenn das Backend das Fenster nicht übergeht. 1 bis %1 Token; 0: kein Fenster. Schichten, für die das Modell eine eigene Einstellung hat, behalten sie.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Soft cap</source>
        <translation>Soft Cap</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Sparse block</source>
        <translation>Sparse-Block</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>The logit of the sink, −1000 to 1000. A number typed here applies to all heads. A scenario file can give every head its own.</source>
        <translation>Der Logit der Senke, −1000 bis 1000. Eine Zahl hier gilt für alle Köpfe. Eine Szenariodatei kann jedem Kopf einen eigenen geben.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Tokens in a block of block-sparse attention; the block size of the cache can differ. 1 to %1.</source>
        <translation>Token in einem Block der block-sparse Attention; die Blockgröße des Caches kann anders sein. 1 bis %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/attention_fields.cpp"/>
        <source>Vertical stride</source>
        <translation>Streifenabstand</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_answers.cpp"/>
        <source>A soft cap, which is ignored with a warning: %1.</source>
        <translation>Ein Soft Cap, der mit einer Warnung übergangen wird: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_answers.cpp"/>
        <source>Backends that compute it: %1.</source>
        <translation>Backends, die das berechnen: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_answers.cpp"/>
        <source>Backends that refuse it unless Extended is on: %1.</source>
        <translation>Backends, die das ablehnen, wenn Erweitert nicht an ist: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_answers.cpp"/>
        <source>Backends that refuse it, or ignore it if Extended is on: %1.</source>
        <translation>Backends, die das ablehnen oder, wenn Erweitert an ist, übergehen: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_answers.cpp"/>
        <source>Backends that refuse it: %1.</source>
        <translation>Backends, die das ablehnen: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_answers.cpp"/>
        <source>Cache types other than auto: %1.</source>
        <translation>Andere Cache-Typen als auto: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_answers.cpp"/>
        <source>Chunks of prompts: %1.</source>
        <translation>Stücke von Prompts: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_answers.cpp"/>
        <source>Mixed batches: %1.</source>
        <translation>Gemischte Batches: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_answers.cpp"/>
        <source>Prompts with cached tokens: %1.</source>
        <translation>Prompts mit gecachten Token: %1.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_fields.cpp"/>
        <source>Captured: a decode step writes its lengths, slots and block tables into a plan that was made before, if one fits.</source>
        <translation>Aufgezeichnet: Ein Decode-Schritt schreibt seine Längen, Slots und Blocktabellen in einen Plan, der vorher gemacht wurde, wenn einer passt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_fields.cpp"/>
        <source>Decode plans</source>
        <translation>Decode-Pläne</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_fields.cpp"/>
        <source>Extended</source>
        <translation>Erweitert</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_fields.cpp"/>
        <source>Head padding</source>
        <translation>Köpfe auffüllen</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_fields.cpp"/>
        <source>On: the backends that are modelled on an original may do what only the original refuses.</source>
        <translation>An: Die Backends, die einem Original folgen, dürfen, was nur das Original ablehnt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_fields.cpp"/>
        <source>Where the backend does not support the head size: pads the heads with zeros to the next size that it supports (pad_head_size). The KV cache becomes larger.</source>
        <translation>Wo das Backend die Kopfgröße nicht kann: Die Köpfe werden mit Nullen auf die nächste Größe aufgefüllt, die es kann (pad_head_size). Der KV-Cache wird größer.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_fields.cpp"/>
        <source>captured</source>
        <translation>aufgezeichnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_fields.cpp"/>
        <source>computed each step</source>
        <translation>in jedem Schritt berechnet</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/backend_fields.cpp"/>
        <source>zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>0 all</source>
        <translation>0 alle</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>1 none</source>
        <translation>1 keine</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>A block is a piece of cache memory for the keys and values of this many tokens.</source>
        <translation>Ein Block ist ein Stück Cache-Speicher für die Keys und Values so vieler Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>Cache dtype</source>
        <translation>Cache-Typ</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>Element type of keys and values in the cache. auto means the type in which the model computes. fp8 and int8 keep a number divided by a scale, rounded to 8 bits.</source>
        <translation>Elementtyp der Keys und Values im Cache. auto heißt: der Typ, in dem das Modell rechnet. fp8 und int8 halten eine Zahl, geteilt durch eine Skala und auf 8 Bit gerundet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>Key scale</source>
        <translation>Key-Skala</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>Number of blocks of the whole cache.</source>
        <translation>Zahl der Blöcke des ganzen Caches.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>Number of worker threads. 0 means one for each hardware thread, or 2 with the virtual clock.</source>
        <translation>Zahl der Worker-Threads. 0 heißt: einer für jeden Hardware-Thread, oder 2 mit der virtuellen Uhr.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>The largest number of sequences that may run at the same time (max_num_seqs).</source>
        <translation>Die größte Zahl von Sequenzen, die gleichzeitig laufen dürfen (max_num_seqs).</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>The largest number of tokens that one engine step may compute (max_num_batched_tokens).</source>
        <translation>Die größte Zahl von Token, die ein Engine-Schritt berechnen darf (max_num_batched_tokens).</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>Value scale</source>
        <translation>Value-Skala</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>What a stored key is multiplied by when it is read. With int8 a scenario file can give every KV head its own (k_head_scales).</source>
        <translation>Womit ein gespeicherter Key beim Lesen multipliziert wird. Bei int8 kann eine Szenariodatei jedem KV-Kopf eine eigene geben (k_head_scales).</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/engine_fields.cpp"/>
        <source>What a stored value is multiplied by when it is read. With int8 a scenario file can give every KV head its own (v_head_scales).</source>
        <translation>Womit ein gespeicherter Value beim Lesen multipliziert wird. Bei int8 kann eine Szenariodatei jedem KV-Kopf eine eigene geben (v_head_scales).</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>0 greedy</source>
        <translation>0 greedy</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Arrives after</source>
        <translation>Kommt nach</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>At 0 the most likely token is taken; the higher the temperature, the more often a less likely token is sampled.</source>
        <translation>Bei 0 wird das wahrscheinlichste Token genommen; je höher die Temperatur, desto öfter wird ein weniger wahrscheinliches gezogen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Beam search continues this many texts, the most likely ones, and drops the others. It does not sample, so the temperature must be 0.</source>
        <translation>Die Beam-Suche setzt so viele Texte fort, die wahrscheinlichsten, und lässt die anderen fallen. Sie zieht nicht, darum muss die Temperatur 0 sein.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Beams</source>
        <translation>Beams</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Early stopping</source>
        <translation>Früh aufhören</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Encoder length</source>
        <translation>Encoder-Länge</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Length penalty</source>
        <translation>Längenstrafe</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Number of texts that are sampled from this prompt (n). They share the blocks of the prompt. Text i (from 0) is sampled with seed + i.</source>
        <translation>Zahl der Texte, die aus diesem Prompt gezogen werden (n). Sie teilen sich die Blöcke des Prompts. Text i (ab 0) wird mit Seed + i gezogen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Number of tokens of the encoder. In cross attention the tokens of the request read the keys of these tokens.</source>
        <translation>Zahl der Token des Encoders. In Cross-Attention lesen die Token der Anfrage die Keys dieser Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Number of tokens of the prompt.</source>
        <translation>Zahl der Token des Prompts.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>On: the search ends at the latest when it has as many finished texts as beams. Off: it can go on while a better text may still be found.</source>
        <translation>An: Die Suche endet spätestens, wenn sie so viele fertige Texte wie Beams hat. Aus: Sie kann weitergehen, solange ein besserer Text gefunden werden könnte.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Only the k most likely tokens can be sampled. 0 means all tokens.</source>
        <translation>Nur die k wahrscheinlichsten Token können gezogen werden. 0 heißt: alle.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Only the most likely tokens can be sampled: as few as together have at least this probability.</source>
        <translation>Nur die wahrscheinlichsten Token können gezogen werden: so wenige, wie zusammen mindestens diese Wahrscheinlichkeit haben.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Priority</source>
        <translation>Vorrang</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Prompt length</source>
        <translation>Prompt-Länge</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Requests with a smaller number are admitted first and preempted last. Requests with equal numbers are ordered by arrival.</source>
        <translation>Anfragen mit kleinerer Zahl werden zuerst zugelassen und zuletzt verdrängt. Bei gleicher Zahl entscheidet die Ankunft.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Samples</source>
        <translation>Samples</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>The request arrives this many seconds after the run begins, on the run's clock.</source>
        <translation>Die Anfrage kommt so viele Sekunden nach Beginn des Laufs an, auf der Uhr des Laufs.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>The request ends at the latest after this many generated tokens.</source>
        <translation>Die Anfrage endet spätestens nach so vielen erzeugten Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>The score of a finished beam is its log-probability ÷ (number of new tokens)^penalty. A penalty above 0 favours longer texts.</source>
        <translation>Der Wert eines fertigen Beams ist seine Log-Wahrscheinlichkeit ÷ (Zahl der neuen Token)^Strafe. Eine Strafe über 0 bevorzugt längere Texte.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>The seed of the random numbers that sample the tokens.</source>
        <translation>Der Seed der Zufallszahlen, mit denen die Token gezogen werden.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>low first</source>
        <translation>kleine zuerst</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/request_fields.cpp"/>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>0 to 0.99</source>
        <translation>0 bis 0.99</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>A prompt that begins with the same tokens as one of an earlier step can share the full blocks of these tokens, but not the block of its own last token. The blocks are kept until the cache needs them.</source>
        <translation>Ein Prompt, der mit denselben Token beginnt wie einer eines früheren Schritts, kann die vollen Blöcke dieser Token teilen, aber nicht den Block seines eigenen letzten Tokens. Die Blöcke werden aufgehoben, bis der Cache sie braucht.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>Arrival seed</source>
        <translation>Seed der Ankünfte</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>Arrivals</source>
        <translation>Ankünfte</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>How many requests arrive per second of the run's clock, on average.</source>
        <translation>Wie viele Anfragen im Mittel pro Sekunde auf der Uhr des Laufs ankommen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>Mean rate</source>
        <translation>Mittlere Rate</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>Number of blocks in host memory to which preempted requests can be moved.</source>
        <translation>Zahl der Blöcke im Hauptspeicher, in die verdrängte Anfragen ausgelagert werden können.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>Policy</source>
        <translation>Regel</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>Preemption</source>
        <translation>Verdrängung</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>Prefill first: a step computes either prompts or decodes. Chunked prefill: decodes come first in a step, and pieces of prompts can fill the rest of the batch budget.</source>
        <translation>Prefill zuerst: Ein Schritt berechnet entweder Prompts oder Decodes. Chunked Prefill: Decodes kommen in einem Schritt zuerst, und Stücke von Prompts können den Rest des Batch-Budgets füllen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>Prefix caching</source>
        <translation>Präfix-Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>Swap pool</source>
        <translation>Auslagerung</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>The share of all blocks that must stay free (or only cached) when a request begins, or goes on after a preemption, while others run.</source>
        <translation>Der Anteil aller Blöcke, der frei (oder nur gecacht) bleiben muss, wenn eine Anfrage beginnt oder nach einer Verdrängung weitergeht, während andere laufen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>Watermark</source>
        <translation>Reserve</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>When the cache is full and a request has to give its blocks back: its tokens are computed again later (recompute), or the content of its blocks is moved to the swap pool and back (swap, if the pool has room).</source>
        <translation>Wenn der Cache voll ist und eine Anfrage ihre Blöcke zurückgeben muss: Ihre Token werden später neu berechnet, oder der Inhalt ihrer Blöcke wird ausgelagert und zurückgeholt (wenn dort Platz ist).</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>When the requests arrive: all when the run begins, each at its own time, or at random with a mean rate (a Poisson process).</source>
        <translation>Wann die Anfragen ankommen: alle zu Beginn des Laufs, jede zu ihrer Zeit, oder zufällig mit einer mittleren Rate (ein Poisson-Prozess).</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>With the same seed and mean rate the requests arrive at the same times again.</source>
        <translation>Mit demselben Seed und derselben Rate kommen die Anfragen wieder zu denselben Zeiten an.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>all at once</source>
        <translation>alle auf einmal</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>at given times</source>
        <translation>zu gegebenen Zeiten</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>at random</source>
        <translation>zufällig</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>chunked prefill</source>
        <translation>Chunked Prefill</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>per s</source>
        <translation>pro s</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>prefill first</source>
        <translation>Prefill zuerst</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>recompute</source>
        <translation>neu berechnen</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/scheduling_fields.cpp"/>
        <source>swap</source>
        <translation>auslagern</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>%1 files</source>
        <translation>%1 Dateien</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>%1. Click to choose others.</source>
        <translation>%1. Klick, um andere zu wählen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>0: 1/√d</source>
        <translation>0: 1/√d</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Axes</source>
        <translation>Achsen</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Encoder layers</source>
        <translation>Encoder-Schichten</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Head size</source>
        <translation>Kopfgröße</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>How strongly the weights differ. With 0 all keys have the same q·k.</source>
        <translation>Wie stark sich die Gewichte unterscheiden. Bei 0 haben alle Keys dasselbe q·k.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Induction: length of the segment that repeats. Local: width of the band. Alignment: number of words within which the order changes. Alternating: the window of every other layer.</source>
        <translation>Induction: Länge des Abschnitts, der sich wiederholt. Local: Breite des Bandes. Alignment: Zahl der Wörter, in denen sich die Reihenfolge ändert. Alternating: das Fenster jeder zweiten Schicht.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>KV heads</source>
        <translation>KV-Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Needle at</source>
        <translation>Needle bei</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Number of elements in the query, key and value vectors of one head.</source>
        <translation>Zahl der Elemente in den Query-, Key- und Value-Vektoren eines Kopfes.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Number of heads with keys and values. Several query heads can share one KV head.</source>
        <translation>Zahl der Köpfe mit Keys und Values. Mehrere Query-Köpfe können sich einen KV-Kopf teilen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Number of layers of the encoder, which are computed before the others in the step of a prompt. With 0 no encoder is computed: the generator makes its keys and values directly.</source>
        <translation>Anzahl der Schichten des Encoders, die im Schritt eines Prompts vor den anderen berechnet werden. Bei 0 wird kein Encoder berechnet: Der Generator macht seine Keys und Values direkt.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Number of layers, which are computed one after another. With the pattern encoder_decoder each of them is two attention layers.</source>
        <translation>Zahl der Schichten, die nacheinander berechnet werden. Beim Muster encoder_decoder sind es jeweils zwei Attention-Schichten.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Number of query heads. Each head computes its own attention over the same tokens.</source>
        <translation>Zahl der Query-Köpfe. Jeder Kopf berechnet seine eigene Attention über dieselben Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Other models…</source>
        <translation>Andere Modelle…</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Pattern</source>
        <translation>Muster</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Period</source>
        <translation>Periode</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Query heads</source>
        <translation>Query-Köpfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Sharpness</source>
        <translation>Schärfe</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Synthetic</source>
        <translation>Synthetisch</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Tensor files: %1</source>
        <translation>Tensordateien: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Tensors…</source>
        <translation>Tensoren…</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>The factor by which q·k is multiplied. 0 means 1 ÷ √(head size).</source>
        <translation>Der Faktor, mit dem q·k multipliziert wird. 0 heißt 1 ÷ √(Kopfgröße).</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>The files from which queries, keys and values are read.</source>
        <translation>Die Dateien, aus denen Queries, Keys und Values gelesen werden.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>The greatest length of a sequence: prompt and generated tokens.</source>
        <translation>Die größte Länge einer Sequenz: Prompt und erzeugte Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>The model: its folder with weights, configuration and tokenizer, or its GGUF file.</source>
        <translation>Das Modell: sein Ordner mit Gewichten, Konfiguration und Tokenizer, oder seine GGUF-Datei.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>The order of the axes of the tensors. H: heads, L: tokens, D: head size. Tensors for PyTorch's scaled_dot_product_attention have heads before tokens.</source>
        <translation>Die Reihenfolge der Achsen der Tensoren. H: Köpfe, L: Token, D: Kopfgröße. Tensoren für PyTorchs scaled_dot_product_attention haben die Köpfe vor den Token.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>The position that later tokens read most.</source>
        <translation>Die Position, die spätere Token am meisten lesen.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>What a query reads most. Random: no pattern. Local: keys shortly before it. Induction: the token that followed the same token earlier. Needle: one fixed key. Alignment (cross attention): in heads 0, 4, 8 and so on the word of the encoder that is being translated. Alternating: no pattern, but every other layer has a sliding window. Encoder_decoder: no pattern, and every layer has self attention and then cross attention.</source>
        <translation>Was eine Query am meisten liest. Random: kein Muster. Local: Keys kurz vor ihr. Induction: das Token, das früher auf dasselbe Token folgte. Needle: ein fester Key. Alignment (Cross-Attention): in den Köpfen 0, 4, 8 und so weiter das Wort des Encoders, das gerade übersetzt wird. Alternating: kein Muster, aber jede zweite Schicht hat ein gleitendes Fenster. Encoder_decoder: kein Muster, und jede Schicht hat Self-Attention und dann Cross-Attention.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>Where queries, keys and values come from: a trained model, a generator with a known pattern, or your own tensors.</source>
        <translation>Woher Queries, Keys und Values kommen: aus einem trainierten Modell, einem Generator mit bekanntem Muster, oder deinen eigenen Tensoren.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>[H, L, D]</source>
        <translation>[H, L, D]</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>[L, H, D]</source>
        <translation>[L, H, D]</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fields/source_fields.cpp"/>
        <source>values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fit_note.cpp"/>
        <source>Changes: %1</source>
        <translation>Ändert: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fit_note.cpp"/>
        <source>Make it fit</source>
        <translation>Passend machen</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/fit_note.cpp"/>
        <source>This request cannot run. %1</source>
        <translation>Diese Anfrage kann nicht laufen. %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/more_section.cpp"/>
        <source>Hide these fields</source>
        <translation>Diese Felder verbergen</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/more_section.cpp"/>
        <source>Show fields that are rarely needed</source>
        <translation>Selten gebrauchte Felder zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_form.cpp"/>
        <source>Decoder prompt</source>
        <translation>Decoder-Prompt</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_form.cpp"/>
        <source>Engine and cache</source>
        <translation>Engine und Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_form.cpp"/>
        <source>More about scheduling</source>
        <translation>Mehr zum Scheduling</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_form.cpp"/>
        <source>More about the request</source>
        <translation>Mehr zur Anfrage</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_form.cpp"/>
        <source>Source of Q, K, V</source>
        <translation>Quelle von Q, K, V</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_form.cpp"/>
        <source>Text with which the decoder begins after its first token. Empty: it begins with that token alone.</source>
        <translation>Text, mit dem der Decoder nach seinem ersten Token beginnt. Leer: Er beginnt mit diesem Token allein.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_form.cpp"/>
        <source>The prompt is the text that the encoder reads. Ctrl+Enter starts the run.</source>
        <translation>Der Prompt ist der Text, den der Encoder liest. Strg+Eingabe startet den Lauf.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_form.cpp"/>
        <source>The prompt is the text that the model continues. Ctrl+Enter starts the run.</source>
        <translation>Der Prompt ist der Text, den das Modell fortsetzt. Strg+Eingabe startet den Lauf.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_form.cpp"/>
        <source>Type a sentence. Ctrl+Enter runs it.</source>
        <translation>Schreib einen Satz. Strg+Eingabe startet.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_list.cpp"/>
        <source>Backend: Pallas</source>
        <translation>Backend: Pallas</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_list.cpp"/>
        <source>Backend: Torch SDPA</source>
        <translation>Backend: Torch SDPA</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_list.cpp"/>
        <source>Backend: unified</source>
        <translation>Backend: unified</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_list.cpp"/>
        <source>Backend: xFormers</source>
        <translation>Backend: xFormers</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_list.cpp"/>
        <source>Cache</source>
        <translation>Cache</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_list.cpp"/>
        <source>First steps</source>
        <translation>Erste Schritte</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_list.cpp"/>
        <source>Kinds of attention</source>
        <translation>Arten der Attention</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/scenario_list.cpp"/>
        <source>Masks and biases</source>
        <translation>Masken und Biases</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>A scenario is a file that says what is computed and how it is shown.</source>
        <translation>Ein Szenario ist eine Datei, die sagt, was berechnet und wie es gezeigt wird.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Add while running</source>
        <translation>Zum Lauf hinzufügen</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Adds a request with the prompt and settings below to the run while it goes on.</source>
        <translation>Fügt dem laufenden Lauf eine Anfrage mit dem Prompt und den Einstellungen darunter hinzu.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>All that can be opened (*.json *.attn-session *.gguf *.safetensors *.npy *.md);;Scenarios (*.json);;Sessions (*.attn-session);;Models (*.gguf);;Tensors (*.safetensors *.npy);;Lessons (*.md);;All files (*)</source>
        <translation>Alles, was sich öffnen lässt (*.json *.attn-session *.gguf *.safetensors *.npy *.md);;Szenarien (*.json);;Sitzungen (*.attn-session);;Modelle (*.gguf);;Tensoren (*.safetensors *.npy);;Lektionen (*.md);;Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Applies all changes and starts the run again.</source>
        <translation>Wendet alle Änderungen an und startet den Lauf neu.</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Ctrl+Enter</source>
        <translation>Strg+Eingabe</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>In the list of requests: choose a request; in a number field: change the number</source>
        <translation>In der Liste der Anfragen: eine Anfrage wählen; in einem Zahlenfeld: die Zahl ändern</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>In the prompt or a field: apply all changes and start the run</source>
        <translation>Im Prompt oder einem Feld: alle Änderungen anwenden und den Lauf starten</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Next field</source>
        <translation>Nächstes Feld</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Open a scenario, a model, tensors, a session or a lesson (Ctrl+O)</source>
        <translation>Ein Szenario, ein Modell, Tensoren, eine Sitzung oder eine Lektion öffnen (Strg+O)</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Open a scenario, a session, a model, tensors or a lesson</source>
        <translation>Ein Szenario, eine Sitzung, ein Modell, Tensoren oder eine Lektion öffnen</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Open queries, keys and values</source>
        <translation>Queries, Keys und Values öffnen</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Prompt: %1</source>
        <translation>Prompt: %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Remove the chosen request from the scenario, and cancel it if it has not ended</source>
        <translation>Die gewählte Anfrage aus dem Szenario nehmen, und abbrechen, wenn sie nicht zu Ende ist</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Request %1</source>
        <translation>Anfrage %1</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Save this scenario (Ctrl+S)</source>
        <translation>Dieses Szenario speichern (Strg+S)</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Start with changes</source>
        <translation>Mit Änderungen starten</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>Tensors (*.safetensors *.npy);;All files (*)</source>
        <translation>Tensoren (*.safetensors *.npy);;Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../../gui/views/workload/workload_panel.cpp"/>
        <source>This request was added to the run, and not to the scenario. So it cannot be changed here, and a new run does not compute it.</source>
        <translation>Diese Anfrage wurde dem Lauf hinzugefügt, nicht dem Szenario. Deshalb kann sie hier nicht geändert werden, und ein neuer Lauf berechnet sie nicht.</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/color_bar.cpp"/>
        <source>%1, %2 to %3, %4, %5</source>
        <translation>%1, %2 bis %3, %4, %5</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/color_bar.cpp"/>
        <source>%1, turned</source>
        <translation>%1, umgekehrt</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/color_bar.cpp"/>
        <source>diverging</source>
        <translation>zweiseitig</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/request/inside_switch.cpp"/>
        <source>%1 will appear here when Inside, above, is switched on. The program then keeps the residual stream and the outputs of the heads of this request (%2).</source>
        <translation>Hier erscheint, wenn oben „Innen“ eingeschaltet ist: %1. Das Programm behält dann den Residual Stream und die Ausgaben der Köpfe dieser Anfrage (%2).</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/request/inside_switch.cpp"/>
        <source>Keep the residual stream and the outputs of all heads of the shown request: %1. The run does not change (I)</source>
        <translation>Residual Stream und Ausgaben aller Köpfe der gezeigten Anfrage behalten: %1. Der Lauf ändert sich nicht (I)</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/request/inside_switch.cpp"/>
        <source>Keep what goes through the model</source>
        <translation>Behalten, was durch das Modell geht</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/request/inside_switch.cpp"/>
        <source>The program computes what goes through the model for this request. A run that is paused inside a step has to end the step first.</source>
        <translation>Das Programm berechnet, was für diese Anfrage durch das Modell geht. Ein Lauf, der mitten in einem Schritt angehalten ist, muss den Schritt erst beenden.</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/request/inside_switch.cpp"/>
        <source>its size is not known until the model is loaded</source>
        <translation>die Größe ist unbekannt, bis das Modell geladen ist</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source> + bias of the distance</source>
        <translation> + Bias des Abstands</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source> + slope × (key − query)</source>
        <translation> + Steigung × (Key − Query)</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>%1 (encoder)</source>
        <translation>%1 (Encoder)</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>block-sparse</source>
        <translation>block-sparse</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>block-sparse attention leaves out the block of the keys %1 to %2</source>
        <translation>block-sparse Attention lässt den Block der Keys %1 bis %2 aus</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>cap × tanh(scale × q·k ÷ cap)</source>
        <translation>Cap × tanh(Skala × q·k ÷ Cap)</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>causal</source>
        <translation>kausal</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>masked: the key comes after the query</source>
        <translation>maskiert: Der Key kommt nach der Query</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>masked: the key comes after the query or before the query's window of %1</source>
        <translation>maskiert: Der Key kommt nach der Query oder vor ihrem Fenster von %1</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>masked: the key comes after the query or, from row %1 on, before the query's window of %2</source>
        <translation>maskiert: Der Key kommt nach der Query oder, ab Zeile %1, vor ihrem Fenster von %2</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>masked: the key comes before the query's window of %1</source>
        <translation>maskiert: Der Key kommt vor dem Fenster der Query von %1</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>masked: the query does not see the key</source>
        <translation>maskiert: Die Query sieht den Key nicht</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>row sums are below 1, because the sink takes the rest</source>
        <translation>die Zeilensummen sind kleiner als 1, weil die Senke den Rest nimmt</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>the edge from this query to this key is cut</source>
        <translation>die Verbindung von dieser Query zu diesem Key ist abgeschnitten</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>the key comes after the query</source>
        <translation>der Key kommt nach der Query</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>the key lies before the query's window, which begins at key %1</source>
        <translation>der Key liegt vor dem Fenster der Query, das bei Key %1 beginnt</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>window of %1</source>
        <translation>Fenster von %1</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/text/rule_words.cpp"/>
        <source>window of %1 from row %2 on</source>
        <translation>Fenster von %1 ab Zeile %2</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/tour.cpp"/>
        <source>Nothing to show yet</source>
        <translation>Noch nichts zu zeigen</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/view.cpp"/>
        <source>%1 could not be written: %2.</source>
        <translation>%1 konnte nicht geschrieben werden: %2.</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/view.cpp"/>
        <source>Choose SVG or PDF, or on the command line a smaller --scale</source>
        <translation>Wähle SVG oder PDF, oder auf der Befehlszeile ein kleineres --scale</translation>
    </message>
    <message>
        <location filename="../../gui/widgets/view.cpp"/>
        <source>there is not enough memory for this picture</source>
        <translation>für dieses Bild reicht der Speicher nicht</translation>
    </message>
</context>
<context>
    <name>Qt</name>
    <message>
        <source>&amp;No</source>
        <translation>&amp;Nein</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>&amp;Ja</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Ctrl</source>
        <translation>Strg</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Ab</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Pos1</translation>
    </message>
    <message>
        <source>Ins</source>
        <translation>Einfg</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>PgDown</source>
        <translation>Bild ab</translation>
    </message>
    <message>
        <source>PgUp</source>
        <translation>Bild auf</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Rechts</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Umschalt</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Auf</translation>
    </message>
</context>
</TS>
