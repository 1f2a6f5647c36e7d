// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/quantity/lesson_language.h"

namespace attn::lesson {
namespace {

const LessonWords kGerman{
    // Units, one and many.
    {"block", "Block"},
    {"blocks", "Blöcke"},
    {"byte", "Byte"},
    {"bytes", "Byte"},
    {"copies", "Kopien"},
    {"element", "Element"},
    {"elements", "Elemente"},
    {"evictions", "verworfene Blöcke"},
    {"head", "Kopf"},
    {"heads", "Köpfe"},
    {"hit", "Treffer"},
    {"hits", "Treffer"},
    {"key", "Key"},
    {"keys", "Keys"},
    {"layer", "Schicht"},
    {"layers", "Schichten"},
    {"nats", "Nat"},
    {"pair", "Paar"},
    {"pairs", "Paare"},
    {"request", "Anfrage"},
    {"requests", "Anfragen"},
    {"row", "Zeile"},
    {"rows", "Zeilen"},
    {"sequences", "Sequenzen"},
    {"slot", "Slot"},
    {"slots", "Slots"},
    {"step", "Schritt"},
    {"steps", "Schritte"},
    {"table", "Tabelle"},
    {"tables", "Tabellen"},
    {"tile", "Kachel"},
    {"tiles", "Kacheln"},
    {"time", "Mal"},
    {"times", "Mal"},
    {"token", "Token"},
    {"tokens", "Token"},
    // Places.
    {"query", "Query"},
    {" and ", " und "},
    // Pages to print and to do in a browser.
    {"Predict, before you look", "Sag voraus, bevor du nachsiehst"},
    {"What did you see?", "Was hast du gesehen?"},
    {"Change", "Ändere"},
    {"Build", "Baue"},
    {"Name", "Name"},
    {"Date", "Datum"},
    {"Teacher's copy. Lesson", "Exemplar für Lehrende. Lektion"},
    {"version", "Version"},
    {"The answers were computed from the runs of the lesson.",
     "Die Antworten wurden aus den Läufen der Lektion berechnet."},
    {"The start of step", "Der Anfang von Schritt"},
    {"For example", "Zum Beispiel"},
    {"Hint", "Hinweis"},
    {"If the answer is right", "Wenn die Antwort richtig ist"},
    {"If the answer is wrong", "Wenn die Antwort falsch ist"},
    {"If the answer is too low", "Wenn die Antwort zu klein ist"},
    {"If the answer is too high", "Wenn die Antwort zu groß ist"},
    // What a goal is about (goal_words()): names of quantities, and the words around them.
    {"weight", "Gewicht"},
    {"heaviest", "größtes Gewicht"},
    {"heaviest position", "Position des größten Gewichts"},
    {"visible keys", "sichtbare Keys"},
    {"first token score", "Anteil des ersten Tokens"},
    {"previous token score", "Vorgänger-Score"},
    {"induction score", "Induktions-Score"},
    {"value share", "Anteil am Weitergegebenen"},
    {"prompt tokens", "Token des Prompts"},
    {"new tokens", "neue Token"},
    {"tokens generated", "erzeugte Token"},
    {"tokens of step", "Token des Schritts"},
    {"kv bytes", "Byte im KV-Cache"},
    {"blocks of", "Blöcke der Anfrage"},
    {"blocks used", "benutzte Blöcke"},
    {"num blocks", "Blöcke des Caches"},
    {"waste", "leere Slots"},
    {"preemptions", "Verdrängungen"},
    {"rescales", "Umrechnungen der Summe"},
    {"padding rows", "Padding-Zeilen"},
    {"now", "jetzt"},
    {"not in this run", "in diesem Lauf nicht vorhanden"},
    {"wanted", "verlangt"},
    {"less than", "weniger als"},
    {"at most", "höchstens"},
    {"more than", "mehr als"},
    {"at least", "mindestens"},
    {"exactly", "genau"},
    {"not", "nicht"},
    {"to", "bis"},
    {" of ", " von "},
    {" right, ", " richtig, noch "},
    {" to go.", "."},
    {"Nobody is marked: say what you expect, and be surprised.",
     "Niemand bekommt eine Note: Sag, was du erwartest, und lass dich überraschen."},
    {"Next step", "Nächster Schritt"},
    {"To the beginning", "Zum Anfang"},
    {"Your answer: ", "Deine Antwort: "},
    {"Decide which place you mean. Then look.", "Entscheide dich für eine Stelle. Sieh dann nach."},
    {"This task changes the scenario, which needs the program. An answer that works: ",
     "Diese Aufgabe ändert das Szenario. Dazu braucht man das Programm. Eine Antwort, die geht: "},
    {"Answer", "Antworten"},
    {"Right: ", "Richtig: "},
    {"It is more: ", "Es ist mehr: "},
    {"It is less: ", "Es ist weniger: "},
    {"No: ", "Nein: "},
    {"It is ", "Es ist "},
    {"This page asks with a script, which the browser does not run.",
     "Diese Seite fragt mit einem Skript, das der Browser nicht ausführt."},
};

}  // namespace

const LessonWords& words_of_language(std::string_view language) {
  static const LessonWords none;
  return language.substr(0, language.find('-')) == "de" ? kGerman : none;
}

std::string_view in_language(std::string_view english, std::string_view language) {
  const LessonWords& words = words_of_language(language);
  const auto at = words.find(english);
  return at == words.end() ? english : at->second;
}

}  // namespace attn::lesson
