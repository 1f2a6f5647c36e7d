#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings the texts of the source into attention-workbench_de.ts, and translations from tables.

    gui/translations/update.py [TABLE...]

lupdate (package qt6-l10n-tools) finds the texts: those in tr() of the window, and those in translatable() of the engine
(engine/core/text/sentence.h). The titles and descriptions of the shipped scenarios are texts too. All are put into one context, "Workbench": a text has one translation,
whichever class says it. The words of Qt's buttons and keys are in another one, "Qt". What is already translated stays; what the source no longer says goes. A TABLE has a line for
each text, English and German with a tab between, line breaks as \\n. Exit code 1: a translation lacks what its source
has (%1, an HTML tag, a key mark), and is not taken.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE / "attention-workbench_de.ts"
LUPDATE = "/usr/lib/qt6/bin/lupdate"

# Texts of Qt's buttons and keys, for systems without Qt's own translation.
QT_WORDS = {
    "Ctrl": "Strg", "Shift": "Umschalt", "Space": "Leertaste", "Return": "Eingabe", "Enter": "Eingabe", "Home": "Pos1",
    "End": "Ende", "Left": "Links", "Right": "Rechts", "Up": "Auf", "Down": "Ab", "PgUp": "Bild auf", "PgDown": "Bild ab",
    "Del": "Entf", "Ins": "Einfg", "OK": "OK", "Cancel": "Abbrechen", "Save": "Speichern", "Open": "Öffnen", "&Yes": "&Ja",
    "&No": "&Nein", "Close": "Schließen", "Discard": "Verwerfen", "Apply": "Anwenden", "Reset": "Zurücksetzen"}


def parts(text):
    """What must be equal in both: places for values, HTML tags, and whether a key is marked."""
    marks = len(re.findall(r"&(?=\w)(?!\w+;)", text))
    return sorted(re.findall(r"%L?\d+|%n", text)), sorted(re.findall(r"</?\w+[^<>]*>", text)), marks


def messages(file):
    for context in tree.parse(file).getroot().iter("context"):
        for message in context.iter("message"):
            yield message


def main(tables):
    root = HERE.parent.parent
    with tempfile.TemporaryDirectory() as folder:
        found = pathlib.Path(folder) / "found.ts"
        folders = [str(root / name) for name in ("gui", "engine", "backends")]
        subprocess.run([LUPDATE, "-silent", "-no-obsolete", "-tr-function-alias", "translate+=translatable", *folders,
                        "-ts", str(found)], check=True, stderr=subprocess.DEVNULL)
        places = collections.defaultdict(set)
        for message in messages(found):
            for place in message.iter("location"):
                path = (found.parent / place.get("filename")).resolve()
                places[message.findtext("source")].add(path.relative_to(HERE.parent.parent).as_posix())
    for file in sorted((root / "assets/scenarios").glob("*.json")):
        scenario = json.loads(file.read_text(encoding="utf-8"))
        for text in (scenario["title"], scenario["description"]):
            places[text].add(file.relative_to(root).as_posix())
    german = {}
    if FILE.exists():
        for context in tree.parse(FILE).getroot().iter("context"):
            for message in context.iter("message"):
                if context.findtext("name") == "Workbench" and message.find("translation").get("type") != "unfinished":
                    german[message.findtext("source")] = message.findtext("translation")
    failures = 0
    for table in tables:
        for number, line in enumerate(pathlib.Path(table).read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip() or "\t" not in line:
                continue
            source, target = (cell.replace("\\n", "\n") for cell in line.split("\t", 1))
            problem = "not in the source" if source not in places else None
            if not problem and parts(source) != parts(target):
                problem = f"other places or tags: {target!r}"
            if problem:
                print(f"{table}:{number}: {source!r}: {problem}", file=sys.stderr)
                failures += 1
            else:
                german[source] = target
    out = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>", '<TS version="2.1" language="de" sourcelanguage="en">',
           "<context>", "    <name>Workbench</name>"]
    for source in sorted(places, key=lambda text: (min(places[text]), text)):
        out.append("    <message>")
        out += [f'        <location filename="../../{place}"/>' for place in sorted(places[source])]
        out.append(f"        <source>{escape(source)}</source>")
        out.append(f"        <translation>{escape(german[source])}</translation>" if source in german else
                   '        <translation type="unfinished"></translation>')
        out.append("    </message>")
    out += ["</context>", "<context>", "    <name>Qt</name>"]
    for source, target in sorted(QT_WORDS.items()):
        out += ["    <message>", f"        <source>{escape(source)}</source>",
                f"        <translation>{escape(target)}</translation>", "    </message>"]
    FILE.write_text("\n".join(out + ["</context>", "</TS>", ""]), encoding="utf-8")
    print(f"{sum(source in german for source in places)} of {len(places)} texts are translated")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
