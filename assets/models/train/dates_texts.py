# SPDX-License-Identifier: GPL-3.0-or-later
"""Written dates and numbers, English and German, with their fixed form and their alignment.

A text is a list of pieces (text, places): places are the positions of the answer that this piece
says. In "third of March 2021" the piece "third" says positions 8 and 9 of "2021-03-03". The pieces
are also the vocabulary of the tokenizer.
"""

import datetime
import random

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
          "November", "December"]
MONATE = ["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
          "Dezember"]
SHORT = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"]
KURZ = ["Jan.", "Feb.", "Mär.", "Apr.", "Mai", "Jun.", "Jul.", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
WOCHENTAGE = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"]
ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ORDINALS = ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
            "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth",
            "nineteenth"]
EINS = ["null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
        "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"]
ZEHNER = ["", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
ERSTE = ["", "erste", "zweite", "dritte", "vierte", "fünfte", "sechste", "siebte", "achte", "neunte", "zehnte", "elfte",
         "zwölfte", "dreizehnte", "vierzehnte", "fünfzehnte", "sechzehnte", "siebzehnte", "achtzehnte", "neunzehnte"]

YEAR, MONTH, DAY = (0, 1, 2, 3), (5, 6), (8, 9)  # positions in "2021-03-23"
SPACE = " "
MOST_NUMBER = 99_999
FIRST_YEAR, LAST_YEAR = 1600, 2099


def digits(text, places):
    """The digits of a number, one piece each; the last ones say the last places."""
    pad = len(places) - len(text)
    if len(text) == 1 and pad == 1:  # "3" says both digits of "03"
        return [(text, places)]
    return [(digit, (places[pad + i],)) for i, digit in enumerate(text)]


def below_hundred(number, places):
    """English words of 1 to 99 for these places, one or two of them."""
    if number < 20:
        return [(ONES[number], places)]
    words = [(TENS[number // 10], places if number % 10 == 0 else places[:1])]
    return words + ([("-", ()), (ONES[number % 10], places[1:])] if number % 10 else [])


def unter_hundert(number, places, one="eins"):
    """German words of 1 to 99: the ones come before the tens."""
    if number < 20:
        return [(one if number == 1 else EINS[number], places)]
    ten = (ZEHNER[number // 10], places if number % 10 == 0 else places[:1])
    if number % 10 == 0:
        return [ten]
    return [("ein" if number % 10 == 1 else EINS[number % 10], places[1:]), ("und", ()), ten]


def split_number(number, places):
    """Splits at the thousands and hundreds: [(value, its places, word of the scale, its places)].

    A zero is said by the scale word before it: in "two thousand and seven" by "thousand".
    """
    parts, last = [], None
    for scale, width in ((1000, 3), (100, 2), (1, 0)):
        value = number // scale % (10 if scale == 100 else 1000 if scale == 1000 else 100)
        own = places[:max(0, len(places) - width)]
        places = places[len(own):]
        if value:
            extra = len(own) - len(str(value))
            if last is not None:
                parts[last][3] += own[:extra]
            parts.append([value, own[extra:], scale, ()])
            last = len(parts) - 1 if scale > 1 else None
        elif last is not None:
            parts[last][3] += own
    return parts


def number_in_words(number, places, rng):
    if number == 0:
        return [("zero", places)]
    words = []
    with_and = rng.random() < 0.6
    for value, own, scale, zeros in split_number(number, places):
        if words:
            words.append((SPACE, ()))
        if scale == 1 and with_and and words:
            words += [("and", ()), (SPACE, ())]
        words += below_hundred(value, own)
        if scale > 1:
            words += [(SPACE, ()), ("hundred" if scale == 100 else "thousand", zeros)]
    return words


def zahl_in_worten(number, places, rng):
    if number == 0:
        return [("null", places)]
    words = []
    for value, own, scale, zeros in split_number(number, places):
        if scale > 1 and value == 1 and not words and rng.random() < 0.3:  # "hundertsieben"
            words.append(("hundert" if scale == 100 else "tausend", own + zeros))
            continue
        words += unter_hundert(value, own, "ein" if scale > 1 else "eins")
        if scale > 1:
            words.append(("hundert" if scale == 100 else "tausend", zeros))
    return words


def year_in_words(year, rng):
    high, low = divmod(year, 100)
    if 2000 <= year <= 2009 or (year > 2009 and rng.random() < 0.4):
        return number_in_words(year, YEAR, rng)
    words = below_hundred(high, YEAR[:2]) + [(SPACE, ())]
    if low == 0:
        return words + [("hundred", YEAR[2:])]
    if low < 10:
        return words + [("oh", YEAR[2:3]), (SPACE, ()), (ONES[low], YEAR[3:])]
    return words + below_hundred(low, YEAR[2:])


def jahr_in_worten(year):
    high, low = divmod(year, 100)
    if year >= 2000:
        words = [("zwei", YEAR[:1]), ("tausend", YEAR[1:3] if low < 10 else YEAR[1:2])]
        words[1] = ("tausend", YEAR[1:] if low == 0 else words[1][1])
    else:
        words = unter_hundert(high, YEAR[:2]) + [("hundert", YEAR[2:] if low == 0 else YEAR[2:3] if low < 10 else ())]
    return words + (unter_hundert(low, YEAR[3:] if low < 10 else YEAR[2:]) if low else [])


def spaced(*parts):
    """Joins lists of pieces with a space between them."""
    pieces = []
    for part in parts:
        if part:
            pieces += ([(SPACE, ())] if pieces else []) + part
    return pieces


def after(part, text):
    """The pieces with a text that says nothing behind them: "March" -> "March,"."""
    return part + [(letter, ()) for letter in text]


def ordinal(day):
    if day < 20:
        return [(ORDINALS[day], DAY)]
    if day % 10 == 0:
        return [("twentieth" if day == 20 else "thirtieth", DAY)]
    return [(TENS[day // 10], DAY[:1]), ("-", ()), (ORDINALS[day % 10], DAY[1:])]


def ordnungszahl(day, ending):
    """"dritte" with its ending: "r" or "n"."""
    if day < 20:
        pieces = [(ERSTE[day], DAY)]
    else:
        pieces = unter_hundert(day, DAY) + [("ste", ())]
    return pieces + ([(ending, ())] if ending else [])


def english_date(date, rng):
    month, number = MONTHS[date.month - 1], str(date.day)
    short = rng.random() < 0.25
    of_month = [(SHORT[date.month - 1] if short else month, MONTH)]
    year = year_in_words(date.year, rng) if rng.random() < 0.2 else digits(str(date.year), YEAR)
    day = digits(f"{date.day:02}" if rng.random() < 0.15 else number, DAY)
    suffix = "th" if date.day // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(date.day % 10, "th")
    nth = digits(number, DAY) + [(suffix, ())]
    weekday = after([(WEEKDAYS[date.weekday()], ())], ",") if rng.random() < 0.2 else []
    kind = rng.randrange(10)
    if kind == 0:  # the month first, as in the USA
        two = rng.random() < 0.5
        return (digits(f"{date.month:02}" if two else str(date.month), MONTH) + [("/", ())] +
                digits(f"{date.day:02}" if two else number, DAY) + [("/", ())] + digits(str(date.year), YEAR))
    if kind == 1:
        return (digits(str(date.year), YEAR) + [("/", ())] + digits(f"{date.month:02}", MONTH) + [("/", ())] +
                digits(f"{date.day:02}", DAY))
    if kind == 2:
        return day + [("-", ())] + of_month + [("-", ())] + digits(str(date.year), YEAR)
    if kind == 3:
        return spaced(weekday, of_month, after(day, ","), year)
    if kind == 4:
        return spaced(weekday, of_month, after(nth, ","), year)
    if kind == 5:
        return spaced(of_month, after(ordinal(date.day), ","), year)
    if kind == 6:
        return spaced([("the", ())], ordinal(date.day), [("of", ())], of_month, year)
    if kind == 7:
        return spaced([("the", ())], nth, [("of", ())], of_month, year)
    return spaced(weekday, nth if kind == 8 else day, of_month, year)


def german_date(date, rng):
    short = rng.random() < 0.25
    text = (KURZ if short else MONATE)[date.month - 1]
    of_month = [(text.rstrip("."), MONTH)] + ([(".", ())] if text.endswith(".") else [])
    year = jahr_in_worten(date.year) if rng.random() < 0.2 else digits(str(date.year), YEAR)
    number = digits(f"{date.day:02}" if rng.random() < 0.2 else str(date.day), DAY) + [(".", ())]
    weekday = [(WOCHENTAGE[date.weekday()], ())]
    kind = rng.randrange(7)
    if kind <= 1:
        two = rng.random() < 0.5
        month = digits(f"{date.month:02}" if two else str(date.month), MONTH)
        day = digits(f"{date.day:02}" if two else str(date.day), DAY)
        dot = [(".", ())]
        return day + dot + month + dot + digits(str(date.year), YEAR) if kind == 0 else \
            spaced(day + dot, month + dot, digits(str(date.year), YEAR))
    if kind == 2:
        return spaced([("der", ())], ordnungszahl(date.day, ""), of_month, year)
    if kind == 3:
        return spaced(ordnungszahl(date.day, "r"), of_month, year)
    if kind == 4:
        return spaced([("am", ())], ordnungszahl(date.day, "n"), of_month, year)
    if kind == 5:
        return spaced(after(weekday, ","), [("der", ())], number, of_month, year)
    return spaced(number, of_month, year)


def example(rng, is_date=None, is_german=None):
    """A text as pieces, and its fixed form."""
    is_date = rng.random() < 0.6 if is_date is None else is_date
    is_german = rng.random() < 0.5 if is_german is None else is_german
    if is_date:
        first = FIRST_YEAR if rng.random() < 0.3 else 1900
        days = (datetime.date(LAST_YEAR, 12, 31) - datetime.date(first, 1, 1)).days
        date = datetime.date(first, 1, 1) + datetime.timedelta(rng.randrange(days + 1))
        return (german_date if is_german else english_date)(date, rng), date.isoformat()
    number = rng.randrange(10 ** rng.randint(1, len(str(MOST_NUMBER))))
    if rng.random() < 0.2:  # round numbers are common in texts and rare among all numbers
        number = number // 100 * 100 if number > 1000 else number // 10 * 10
    answer = str(number)
    return (zahl_in_worten if is_german else number_in_words)(number, tuple(range(len(answer))), rng), answer


if __name__ == "__main__":
    rng = random.Random(0)
    for _ in range(40):
        pieces, answer = example(rng)
        said = [f"{text}={''.join(answer[i] for i in places)}" for text, places in pieces if places]
        print("".join(text for text, _ in pieces), "->", answer, " ", *said)
