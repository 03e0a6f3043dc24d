"""The cards in words: their names, and what they do, in a few words or whole sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...core.state import State
from ..data import CARDS_DATA, CROOK_POWER, MOB_BONUS, POWER_CAP

Ability = Mapping[str, Any]

DISTRICT_NAMES: Final = {d["code"]: str(d["name"]) for d in CARDS_DATA["districts"]}
TYPE_NAMES: Final = {t["code"]: str(t["name"]) for t in CARDS_DATA["racket_types"]} | {
    "UNI": "one of a kind"
}
_RACKET_NAMES: Final = {card["id"]: str(card["name"]) for card in CARDS_DATA["rackets"]}
_SHORT_NAMES: Final = {
    "Madame Octavia Prynne": "Madame Prynne",
    "Don Aurelio Vance": "Don Vance",
    "The Shadow of Dey Street": "Dey St. Shadow",
    "The Great Zebrini": "Great Zebrini",
    '"Dockhand" Dmitri Rusk': "Dockhand Rusk",
    '"Loyal" Lena Brandt': "Loyal Brandt",
    '"Iron" Ida Marsh': "Iron Ida",
    '"Duchess" Delacroix': "Duchess",
    '"Smoothie" Smythe': "Smoothie",
    '"Shyster" Shatner': "Shyster",
    "Councilman Pruitt": "Clm. Pruitt",
    "Captain Shepherd": "Cpt. Shepherd",
}


def _district(ability: Ability) -> str:
    return DISTRICT_NAMES[ability["district"]]


def _type(ability: Ability) -> str:
    return TYPE_NAMES[ability["type"]]


def _signed(n: int) -> str:
    return f"+{n}" if n >= 0 else f"\u2212{-n}"


def _where(ability: Ability) -> tuple[str, str]:
    """What takeovers an ability helps: for the table, and in a sentence."""
    if "type" in ability:
        return _type(ability).split()[-1], f"of {_type(ability)}"
    return f"in {ability['district']}", f"of Rackets in {_in(ability)}"


def _in(ability: Ability) -> str:
    return {"C": "the Central district"}.get(ability["district"], f"the {_district(ability)}")


_WORDS: Final[dict[str, Callable[[Ability], tuple[str, str]]]] = {
    "MOB_HIT": lambda a: (
        f"Hits {_signed(a['n'])}",
        f"Every Hit that his Mob makes gets {_signed(a['n'])}, whoever leads it.",
    ),
    "MOB_RECRUIT": lambda a: (
        f"Recruits {_signed(a['n'])}",
        f"Every recruitment that his Mob tries gets {_signed(a['n'])}, whoever leads it.",
    ),
    "MOB_TAKE": lambda a: (
        f"Takes {_where(a)[0]} {_signed(a['n'])}",
        f"Takeovers {_where(a)[1]} by his Mob get {_signed(a['n'])}.",
    ),
    "SELF_HIT": lambda a: (
        f"Own Hits {_signed(a['n'])}",
        f"{_signed(a['n'])} in a Hit that he leads or helps with his token.",
    ),
    "SELF_RECRUIT": lambda a: (
        f"Own recruits {_signed(a['n'])}",
        f"{_signed(a['n'])} in a recruitment that he leads or helps with his token.",
    ),
    "SELF_TAKE": lambda a: (
        f"Own takes {_signed(a['n'])}",
        f"{_signed(a['n'])} in a takeover that he leads or helps with his token.",
    ),
    "DEF_RECRUIT": lambda a: (
        f"Loyal Mob {_signed(-a['n'])}",
        f"Rivals get {_signed(-a['n'])} when they try to recruit a Crook of this Mob.",
    ),
    "LOYAL_UNDER": lambda a: (
        f"Loyal men {_signed(-a['n'])}",
        f"Rivals get {_signed(-a['n'])} when they try to recruit a Crook who reports to him.",
    ),
    "LOYAL_SELF": lambda a: ("Never recruited", "Cannot be recruited out of a Mob."),
    "GUARD_MOB": lambda a: (
        f"Guards Mob {_signed(-a['n'])}",
        f"Hits by rivals on any Crook of his Mob, himself too, get {_signed(-a['n'])}.",
    ),
    "GUARD_SELF": lambda a: (
        f"Hard to hit {_signed(-a['n'])}",
        f"Every Hit on this Crook gets {_signed(-a['n'])}, in the centre as well.",
    ),
    "BODYGUARD": lambda a: (
        "Bodyguard",
        "Hits on the Crook he reports to get \u22125, token or not.",
    ),
    "DEF_TAKE": lambda a: (
        f"Rackets safe {_signed(-a['n'])}",
        f"Takeovers of any Racket of his Mob get {_signed(-a['n'])}.",
    ),
    "DEF_TAKE_DISTRICT": lambda a: (
        f"Guards {a['district']} {_signed(-a['n'])}",
        f"Takeovers of its owner's other Rackets in {_in(a)} get {_signed(-a['n'])}.",
    ),
    "TYPE_POWER": lambda a: (
        f"{_type(a)} {_signed(a['n'])}",
        f"The {_type(a)} of this Mob have {_signed(a['n'])} Power.",
    ),
    "TYPE_ROAM": lambda a: (
        f"{_type(a).split()[-1]} roam",
        f"The {_type(a)} of this Mob may help or defend in every district.",
    ),
    "DISTRICT_MUSCLE": lambda a: (
        "Muscle",
        "May spend its token to add its Power to a takeover in its own district, or to defend "
        "against one.",
    ),
    "MUSCLE_ANY": lambda a: (
        "Muscle anywhere",
        "May spend its token to add its Power to any takeover by its owner, or to defend one.",
    ),
    "LEAD_TAKE": lambda a: (f"Leads {_type(a)}", f"May lead a takeover of {_type(a)} itself."),
    "EXTRA_RECRUIT_HELP": lambda a: (
        "Extra helper",
        "May spend his token to help any recruitment of his Mob, wherever he stands and beside "
        "the one other helper.",
    ),
    "ANYTIME_SWING": lambda a: (
        f"Any attack \u00b1{a['n']}",
        f"May spend his token in any attack of the game, also between others: +{a['n']} or "
        f"\u2212{a['n']}.",
    ),
    "BOSS_SWING_TAKE": lambda a: (
        f"Boss swings {a['district']}",
        f"Its Boss may spend his token in any takeover in {_in(a)}, also between others: his "
        "Power for or against it.",
    ),
    "REROLL": lambda a: (
        "Rolls again",
        "After a failed roll of his Mob he may spend his token: the dice are thrown once more.",
    ),
    "HIT_FAME": lambda a: (
        f"Hits: fame {_signed(a['n'])}",
        f"Gains {_signed(a['n'])} more Power from a Hit that he leads.",
    ),
    "CHEER_ON_BOSS_WIN": lambda a: (
        "Cheers Boss",
        "Loses an Unhappy marker whenever his Boss leads an attack that succeeds.",
    ),
    "NO_PAY": lambda a: ("Works free", "Asks for no pay, not even as Boss."),
    "PAY_CREDIT": lambda a: (
        f"Pay {a['n']} G free",
        f"The bank pays {a['n']} G of its Crooks' pay every turn.",
    ),
    "EXTRA_DRAW": lambda a: (
        "Draws one more",
        "Draws one more card at the start of its turn.",
    ),
    "INCOME_TYPE": lambda a: (
        f"{_type(a)} +{a['n']} G",
        f"Each of his Mob's {_type(a)} brings {a['n']} G more.",
    ),
    "INCOME_DISTRICT": lambda a: (
        f"{a['district']} income +{a['n']}",
        f"Each of its Rackets in {_in(a)} brings {a['n']} G more, {a['max']} G at most in all.",
    ),
    "COMBO_PAIR": lambda a: (
        f"+{a['n']} with {TYPE_NAMES[a['with']].split()[-1]}",
        f"Brings {a['n']} G more if its owner also has the {TYPE_NAMES[a['with']]} of the same "
        "district.",
    ),
    "COMBO_SET": lambda a: (
        f"+{a['n']} from {a['min']} on",
        f"Brings {a['n']} G more while its owner has {a['min']} or more of this type.",
    ),
    "COMBO_PER": lambda a: (
        f"+{a['n']} a {_type(a)}",
        f"Brings {a['n']} G more for each of its owner's {_type(a)}, {a['max']} G at most.",
    ),
    "COMBO_CARD": lambda a: (
        f"+{a['n']} in a pair",
        f"Brings {a['n']} G more if its owner also has the {_RACKET_NAMES[a['card']]}.",
    ),
    "ALIAS_WEAKNESS": lambda a: (
        f"Tempts as {_type(a)}",
        f"Counts as {_type(a)} wherever Crooks' weaknesses are compared.",
    ),
    "CHEER_BUY": lambda a: (
        "Buys good mood",
        f"Once in each of its owner's turns: {a['cost']} G take one Unhappy marker off a Crook.",
    ),
    "T_NEEDLE": lambda a: (
        "Needles rivals",
        f"For his token: an Unhappy marker on a rival's Crook of Power {a['n']} or less who is "
        "neither Boss nor Lieutenant.",
    ),
    "T_STEAL": lambda a: (f"Steals {a['n']} G", f"For his token: {a['n']} G from a rival."),
    "T_CASH": lambda a: (f"Earns {a['n']} G", f"For his token: {a['n']} G from the bank."),
    "T_ARSON": lambda a: (
        f"Arson on {a['n']}\u2212",
        f"For his token: two dice against a rival's Racket. With {a['n']} or less it brings "
        "nothing next time.",
    ),
    "SWING_OWN_ATTACK": lambda a: (
        f"Own attack +{a['n']}",
        f"Played in an attack of one's own: +{a['n']}.",
    ),
    "SWING_DEFENCE": lambda a: (
        f"Defence \u2212{a['n']}",
        f"Played against an attack on a card of one's own: \u2212{a['n']}.",
    ),
    "CASH": lambda a: (f"+{a['n']} G", f"{a['n']} G from the bank."),
    "STEAL": lambda a: (f"Steals {a['n']} G", f"Takes {a['n']} G from a rival."),
    "BLOCK_DEALS": lambda a: (
        "No deals",
        "Nobody may offer gifts or trades until the next turn of who played it.",
    ),
    "TOKEN": lambda a: ("New token", "Gives a token to an own Crook who has spent his."),
    "REVIVE": lambda a: ("Back to life", "Brings a Crook from the discard back to the centre."),
    "NEEDLE": lambda a: ("Unhappy +1", "An Unhappy marker on a rival's Crook who is no Boss."),
    "CHEER": lambda a: (
        f"Unhappy \u2212{a['n']}",
        f"Takes up to {a['n']} Unhappy markers off an own Crook.",
    ),
    "STRIP_TOKEN": lambda a: (
        "Takes a token",
        "A rival's Crook who is no Boss loses his token.",
    ),
    "RAID": lambda a: ("Blocks a Racket", "A rival's Racket brings nothing next time."),
    "CANCEL": lambda a: ("Cancels a Special", "Cancels a Special that a rival has just played."),
}
TIMING_WORDS: Final = {
    "ATTACK_LEAD": "In an attack that you make.",
    "ATTACK_DEFEND": "In an attack on a card of yours.",
    "ANY": "In your turn, or at the start of anybody's turn.",
    "OWN": "In your own turn.",
    "COUNTER": "Right after a rival has played a Special.",
}


def ability_text(ability: Ability) -> str:
    """What an ability does, in a sentence."""
    return _WORDS[ability["code"]](ability)[1]


def ability_mark(ability: Ability) -> str:
    """An ability in two or three words, for the small card on the table."""
    return _WORDS[ability["code"]](ability)[0]


def short_name(name: str) -> str:
    """A Crook's name as it fits on a small card."""
    return _SHORT_NAMES.get(name, name.replace('"', ""))


def short_racket(card: Mapping[str, Any]) -> str:
    """A Racket's name without its district, which its colour and letter show."""
    if card["type"] != "UNI":
        return {"COP": "Precinct"}.get(card["type"], TYPE_NAMES[card["type"]])
    return {
        "Lakeview Grand Hotel": "Lakeview Hotel",
        "Belmore Downs Racetrack": "Belmore Downs",
        "The Evening Bugle": "Evening Bugle",
    }.get(str(card["name"]), str(card["name"]))


def crook_name(crook: int) -> str:
    """A Crook by name."""
    return str(CARDS_DATA["crooks"][crook]["name"])


def racket_name(racket: int) -> str:
    """A Racket by name."""
    return str(CARDS_DATA["rackets"][racket]["name"])


def special_name(kind: int) -> str:
    """A Special by name."""
    return str(CARDS_DATA["specials"][kind]["name"])


def crook_power(state: State, crook: int) -> int:
    """Power of a Crook, a Boss's bonus included (CL-5.1)."""
    own = min(POWER_CAP, int(CROOK_POWER[crook]) + int(state.counters[crook]))
    seat = int(state.crook_loc[crook])
    if seat >= 0 and state.boss[seat] == crook:
        own += int(MOB_BONUS[state.mob[seat]])
    return own
