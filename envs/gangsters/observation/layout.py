"""Names, meanings and ranges of the numbers of an observation."""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

from ...core.layout import Block, Field, Layout, offsets, row_size
from ..data import (
    BUILDINGS,
    CHIT_IDS,
    COMMISSIONER_MAX,
    HQ_TO_WIN,
    JOINTS,
    JOINTS_TO_WIN,
    LADDER,
    LEVEL_MAX,
    MEMBER_COST,
    NODE_NAMES,
    OFFICER_DICE,
    OFFICER_IDS,
    PRICE,
    PUBLIC_IDS,
    PUBLIC_VALUE,
    STREETS,
)
from ..data.checks import COLOURS
from ..state import GANGS, MAX_SEATS, PHASES

NODE_BITS: Final = 8
BUILDING_BITS: Final = 6
BUILDING_CODES: Final = NODE_NAMES[STREETS:]
SEATS: Final = "oneself, the other gangs in turn, the police; to the police, the gangs after them"
ALL_POLICE: Final = float(OFFICER_DICE.sum() + COMMISSIONER_MAX) / 9
"""Commissioner and dice of all officers, in ninths."""
ALL_PUBLICS: Final = float(PUBLIC_VALUE.sum()) / 7
ALL_JOINTS: Final = max(JOINTS / JOINTS_TO_WIN, (BUILDINGS - JOINTS) / HQ_TO_WIN)
MOST_CASH: Final = float(LADDER.max()) / 5000
DEAREST: Final = float(PRICE.max()) * LEVEL_MAX
"""Price x level of the dearest building, in dollars."""
MOST_PAID: Final = max(DEAREST, 45.0 * MEMBER_COST) / 2000
"""For a raid or an arrest; no piece has more than nine members, which cost 45 times the first."""

NodeBits = Annotated[int, Field("its number + 1, bit by bit, the lowest first", NODE_BITS)]
MapX = Annotated[int, Field("its place on the map from the left edge to the right", unit=None)]
MapY = Annotated[int, Field("its place on the map from the top edge to the bottom", unit=None)]
Came = Annotated[
    int, Field("by which way it came to its street space, in eighths; 0 if unknown", unit=1 / 8)
]


class Place(NamedTuple):
    """Where something is: a node; all 0 off the board."""

    bits: NodeBits
    x: MapX
    y: MapY


class Table(NamedTuple):
    """One's part, the options, the round, and what has been done in this turn."""

    gang: Annotated[int, Field("1 if one plays a gang")]
    police: Annotated[int, Field("1 if one is the Police Player")]
    heaters: Annotated[int, Field("1 if heaters may be bought")]
    wheels: Annotated[int, Field("1 if wheels may be bought")]
    dress: Annotated[int, Field("1 if a dress may be bought")]
    random_order: Annotated[int, Field("1 if pawns are drawn for the order of turns")]
    salary_every_move: Annotated[int, Field("1 if the police are paid on every player's turn")]
    vamp_success_min: Annotated[int, Field("least die of a seduction, in sixths", unit=1 / 6)]
    trade_offers: Annotated[int, Field("offers that a Buy Phase allows, in fifths", unit=None)]
    open_cash: Annotated[int, Field("1 if the cash of all seats is open")]
    round: Annotated[int, Field("number of the round, as a share of the last", unit=None)]
    crime_level: Annotated[int, Field("crime level, in sixths", high=2.0, unit=1 / 6)]
    first_cop: Annotated[int, Field("1 once the first Cop Turn has begun")]
    moves: Annotated[
        int,
        Field(
            "actions or police moves left, in quarters; below 0 once Racketeers are lost",
            low=-0.75,
            high=2.25,
            unit=1 / 4,
        ),
    ]
    bought: Annotated[int, Field("1 if a building has been bought or improved")]
    offers: Annotated[int, Field("offers made, in fifths", unit=None)]
    new_public: Annotated[int, Field("1 if a Public has been brought in")]
    early: Annotated[int, Field("1 if Informants have moved early")]
    no_racketeer: Annotated[int, Field("1 if the gang began its turn without Racketeers")]


class Die(NamedTuple):
    """A die."""

    face: Annotated[int, Field("1 for its face", each="123456")]


class Seat(NamedTuple):
    """A seat at the table."""

    present: Annotated[int, Field("1 for a seat at the table")]
    police: Annotated[int, Field("1 for the Police Player")]
    active: Annotated[int, Field("1 if it is its turn")]
    pawn: Annotated[int, Field("1 if its turn is still to come in this round")]
    decides: Annotated[int, Field("1 if it is asked")]
    cash: Annotated[int, Field("cash if known, as a share of what wins", high=2.0, unit=None)]
    cash_known: Annotated[int, Field("1 if its cash is shown")]
    strength: Annotated[
        int,
        Field(
            "strength, in ninths, the Vamp's in ones; of the police, the first",
            each="RTV",
            unit=1 / 9,
        ),
    ]
    criminal: Annotated[int, Field("criminal pieces, in thirds", unit=1 / 3)]
    markers: Annotated[int, Field("bribe markers, in ninths", unit=1 / 9)]
    chits: Annotated[int, Field("chits of the police, in thirds", unit=1 / 3)]
    joints: Annotated[int, Field("buildings, as a share of what wins", high=ALL_JOINTS, unit=None)]
    best_colour: Annotated[int, Field("greatest share of a colour that a gang owns", unit=None)]
    progress: Annotated[int, Field("way to victory, as far as one knows", unit=None)]
    allowance: Annotated[
        int, Field("share of the joint allowance left at PICK", low=-1.0, unit=None)
    ]
    colours: Annotated[int, Field("share of each colour", each=COLOURS, unit=None)]


class Markers(NamedTuple):
    """What one knows of the bribe cup, and chits."""

    own: Annotated[int, Field("1 for each bribe marker that one holds", each=OFFICER_IDS[:9])]
    in_cup: Annotated[int, Field("1 if one knows it to be in the cup", each=OFFICER_IDS[:9])]
    chits: Annotated[int, Field("1 for each chit of one's own, for the police", each=CHIT_IDS)]


class Piece(NamedTuple):
    """A gang piece on the board; all 0 off the board or not revealed."""

    strength: Annotated[int, Field("strength, in ninths; the Vamp's in ones", unit=1 / 9)]
    criminal: Annotated[int, Field("1 on its criminal side")]
    gear: Annotated[int, Field("1 with heaters, or with the dress")]
    wheels: Annotated[int, Field("1 with wheels")]
    came: Came
    bits: NodeBits
    x: MapX
    y: MapY


class PieceTurn(NamedTuple):
    """What a piece of the active gang has done in this turn."""

    acted: Annotated[int, Field("1 if it has used its action")]
    moved: Annotated[int, Field("1 if it has moved")]
    hit: Annotated[int, Field("1 if it will fire")]
    extort: Annotated[int, Field("1 if it extorts")]
    recruit: Annotated[int, Field("1 if a recruit is announced")]


class Commissioner(NamedTuple):
    """The Commissioner."""

    strength: Annotated[int, Field("strength if known, in ninths", unit=1 / 9)]
    on_board: Annotated[int, Field("1 on the board")]
    moved: Annotated[int, Field("1 if he has moved in this turn")]
    recruit: Annotated[int, Field("1 if a recruit is announced")]
    heaters: Annotated[int, Field("1 with heaters")]
    wheels: Annotated[int, Field("1 with wheels")]
    came: Came
    bits: NodeBits
    x: MapX
    y: MapY


class Officer(NamedTuple):
    """An officer; all but ``done`` 0 in the cup."""

    on_board: Annotated[int, Field("1 on the board")]
    moved_by_active: Annotated[int, Field("1 if the active seat has moved him in this turn")]
    moved_by_police: Annotated[int, Field("1 if the police have moved him in this turn")]
    shared: Annotated[int, Field("1 if a gang shares what he is paid")]
    done: Annotated[int, Field("1 if he has moved in this turn")]
    came: Came
    bits: NodeBits
    x: MapX
    y: MapY


class Public(NamedTuple):
    """A Public; all 0 in the cup."""

    on_board: Annotated[int, Field("1 on the board")]
    informant: Annotated[int, Field("1 if it is an Informant")]
    moved: Annotated[int, Field("1 if it has moved in this turn")]
    came: Came
    bits: NodeBits
    x: MapX
    y: MapY


class Joint(NamedTuple):
    """A joint."""

    owner: Annotated[
        int,
        Field(
            f"for the owner 0.25, and as much for each level: {SEATS}",
            MAX_SEATS,
            high=2.5,
            unit=1 / 4,
        ),
    ]
    lit: Annotated[int, Field("1 on its criminal side")]


class Inside(NamedTuple):
    """Who stands in a building."""

    own: Annotated[int, Field("strength of one's own pieces, in ninths", high=2.25, unit=None)]
    racketeers: Annotated[int, Field("rival Racketeers, in ninths", high=GANGS, unit=None)]
    thugs: Annotated[int, Field("rival Thugs, in ninths", high=GANGS, unit=None)]
    criminals: Annotated[int, Field("criminal rival pieces, in thirds", high=GANGS, unit=None)]
    police: Annotated[
        int, Field("Commissioner and dice of officers, in ninths", high=ALL_POLICE, unit=None)
    ]
    publics: Annotated[
        int, Field("value of the Publics, in sevenths", high=ALL_PUBLICS, unit=1 / 7)
    ]


class Move(NamedTuple):
    """The half-made move, and what a question about it, a raid or a payment is about."""

    kind: Annotated[
        int, Field("what moves", each=("gang piece", "Public", "officer", "Commissioner"))
    ]
    piece: Annotated[int, Field("1 for the gang piece that moves or is placed", each="RTV")]
    officer: Annotated[int, Field("1 for the officer who moves or is meant", each=OFFICER_IDS)]
    public: Annotated[int, Field("1 for the Public that moves", each=PUBLIC_IDS)]
    steps: Annotated[int, Field("steps left, in sixths", high=3.0, unit=1 / 6)]
    own: Annotated[int, Field("1 if one moves it oneself")]
    by_police: Annotated[int, Field("1 if the police move it")]
    sharer: Annotated[int, Field("1 if one shares what the officer is paid")]
    via: Annotated[int, Field("1 if a change of duty is being chosen")]
    entering: Annotated[int, Field("1 if the officer comes from the cup")]
    swapped: Annotated[int, Field("1 if he has taken over from another")]
    transferred: Annotated[int, Field("1 if the move has used the Subway")]
    from_bits: NodeBits
    from_x: MapX
    from_y: MapY
    to_bits: NodeBits
    to_x: MapX
    to_y: MapY
    came: Came
    own_building: Annotated[int, Field("1 if one owns the building that it goes to")]
    own_criminals: Annotated[int, Field("1 if a criminal piece of one's own stands there")]
    rival_criminals: Annotated[int, Field("1 if a rival's criminal piece stands there")]
    payoff: Annotated[int, Field("the payoff at SHARE, in $2,000", high=MOST_PAID, unit=None)]
    left_to_share: Annotated[
        int, Field("what is left of it, in $2,000", high=2 * MOST_PAID, unit=None)
    ]
    doubled: Annotated[int, Field("1 if the payoff is doubled")]


class Offer(NamedTuple):
    """The offer as far as it has been made."""

    gives: Annotated[
        int, Field("price x level of the joint given, in $1,800", high=DEAREST / 1800, unit=None)
    ]
    takes: Annotated[
        int, Field("price x level of the joint taken, in $1,800", high=DEAREST / 1800, unit=None)
    ]
    pays: Annotated[
        int, Field("cash that the active gang gives, in $5,000", high=MOST_CASH, unit=None)
    ]
    gets: Annotated[
        int, Field("cash that the active gang asks for, in $5,000", high=MOST_CASH, unit=None)
    ]
    partner: Annotated[int, Field(f"1 for the partner: {SEATS}", MAX_SEATS)]
    given_bits: Annotated[int, Field("number + 1 of the joint given, bit by bit", BUILDING_BITS)]
    taken_bits: Annotated[int, Field("number + 1 of the joint taken, bit by bit", BUILDING_BITS)]


class Fight(NamedTuple):
    """The shootout: the unit that fires, hits and losses."""

    firing: Annotated[
        int,
        Field("kind of the unit that fires", each=("R", "T", "V", "joint", "cop", "Commissioner")),
    ]
    hits_left: Annotated[
        int, Field("its hits still to be placed, in ninths", high=12 / 9, unit=1 / 9)
    ]
    return_fire: Annotated[int, Field("1 if return fire is placed")]
    lost: Annotated[
        int, Field("members that the asked gang loses, in ninths", each="RTV", unit=1 / 9)
    ]
    lost_levels: Annotated[int, Field("levels that the joint loses, in ninths", unit=1 / 9)]
    lost_cops: Annotated[int, Field("hits on officers, in ninths", high=ALL_POLICE, unit=None)]
    lost_commissioner: Annotated[int, Field("hits on the Commissioner, in ninths", unit=1 / 9)]
    bits: NodeBits
    x: MapX
    y: MapY


class Rival(NamedTuple):
    """A rival in the order of the actions on rivals (G-21.1), where the question is about."""

    gang: Annotated[int, Field("1 for a gang, 0 for the police")]
    joints: Annotated[
        int, Field("its buildings, as a share of what wins", high=ALL_JOINTS, unit=None)
    ]
    progress: Annotated[int, Field("its way to victory, as far as one knows", unit=None)]
    strength: Annotated[
        int,
        Field(
            "strength of its pieces there, in ninths, the Vamp's in ones", each="RTV", unit=1 / 9
        ),
    ]
    criminal: Annotated[int, Field("its criminal pieces there, in thirds", unit=1 / 3)]


class Building(NamedTuple):
    """A building: whose it is, who stands in it, and who may end there with the dice of the turn.

    What ``joints``, ``headquarters`` and ``inside`` hold separately stands here side by side, so
    that a network can read all buildings in the same way. Who may end there is shown by the streets
    alone: without walks through joints of one's own, and whether or not the piece may stay there.
    """

    own: Annotated[
        int, Field("for one's own joint 0.25, and as much for each level", high=2.5, unit=1 / 4)
    ]
    rival: Annotated[int, Field("the same for another gang's", high=2.5, unit=1 / 4)]
    headquarters: Annotated[int, Field("1 for headquarters")]
    worth: Annotated[
        int, Field("price x level of a joint, in $1,800", high=DEAREST / 1800, unit=None)
    ]
    lit: Annotated[int, Field("1 on its criminal side")]
    strength: Annotated[
        int,
        Field(
            "strength of one's own pieces, in ninths, the Vamp's in ones", each="RTV", unit=1 / 9
        ),
    ]
    racketeers: Annotated[int, Field("rival Racketeers, in ninths", high=GANGS, unit=None)]
    thugs: Annotated[int, Field("rival Thugs, in ninths", high=GANGS, unit=None)]
    criminals: Annotated[int, Field("criminal rival pieces, in thirds", high=GANGS, unit=None)]
    own_criminals: Annotated[int, Field("criminal pieces of one's own, in thirds", unit=1 / 3)]
    police: Annotated[
        int, Field("Commissioner and dice of officers, in ninths", high=ALL_POLICE, unit=None)
    ]
    publics: Annotated[
        int, Field("value of the Publics, in sevenths", high=ALL_PUBLICS, unit=1 / 7)
    ]
    informants: Annotated[int, Field("Informants, in quarters", unit=1 / 4)]
    reach: Annotated[int, Field("1 if the active gang's piece may go there", each="RTV")]
    reach_publics: Annotated[int, Field("1 if the Public may go there", each=PUBLIC_IDS)]
    reach_officers: Annotated[
        int, Field("dice of the officers who may go there, in ninths", high=ALL_POLICE, unit=None)
    ]
    reach_commissioner: Annotated[int, Field("1 if the Commissioner may go there")]


class Reconstructed(NamedTuple):
    """Options in place of reconstructed numbers."""

    criminals_per_level: Annotated[
        int, Field("criminal pieces for each crime level, in twelfths", unit=1 / 12)
    ]
    public_actions: Annotated[int, Field("1 if moving or bringing a Public takes an action")]


class PieceEnds(NamedTuple):
    """The best of each kind among the nodes that a piece may go to with its die.

    It shows which piece to move. Reach is shown by the streets alone, as in
    :class:`Building`.
    """

    ends: Annotated[int, Field("1 if there are any")]
    joint: Annotated[int, Field("greatest price of a joint that nobody owns", unit=1 / 6)]
    affordable: Annotated[int, Field("the same, of those that one's cash pays for", unit=1 / 6)]
    colour: Annotated[int, Field("greatest share of a colour of one's own, of those", unit=None)]
    rise: Annotated[
        int,
        Field("greatest worth of one's own joints that may rise", high=DEAREST / 1800, unit=None),
    ]
    extort: Annotated[int, Field("1 if there is a building that nobody owns")]
    own: Annotated[int, Field("1 if there is a joint of one's own")]
    seduce: Annotated[int, Field("1 if there is a rival Racketeer, Thug", each="RT")]
    leader: Annotated[int, Field("greatest way to victory of a rival there", unit=None)]
    members: Annotated[
        int,
        Field("most members of rival Racketeers and Thugs", high=2.25 * GANGS, unit=1 / 9),
    ]
    worth: Annotated[
        int, Field("greatest worth of a rival's joint", high=DEAREST / 1800, unit=None)
    ]
    headquarters: Annotated[int, Field("1 if there is one")]
    safest: Annotated[int, Field("least police within six steps", high=ALL_POLICE, unit=1 / 9)]
    buys_here: Annotated[
        int, Field("price of a joint that one could buy where the piece stands", unit=1 / 6)
    ]
    rises_here: Annotated[int, Field("1 if one's own joint could rise where it stands")]


class PublicEnds(NamedTuple):
    """What moving a Public may change."""

    ends: Annotated[int, Field("1 if there are any")]
    own: Annotated[
        int, Field("greatest worth of one's own joint there", high=DEAREST / 1800, unit=None)
    ]
    own_here: Annotated[
        int, Field("worth of one's own joint where it stands", high=DEAREST / 1800, unit=None)
    ]
    rival_here: Annotated[
        int, Field("worth of a rival's joint where it stands", high=DEAREST / 1800, unit=None)
    ]


class PoliceEnds(NamedTuple):
    """What an officer or the Commissioner may find with his die."""

    ends: Annotated[int, Field("1 if there are any")]
    raid: Annotated[
        int, Field("greatest worth of a rival's lit joint", high=DEAREST / 1800, unit=None)
    ]
    own_lit: Annotated[
        int, Field("greatest worth of a lit joint of one's own", high=DEAREST / 1800, unit=None)
    ]
    criminals: Annotated[
        int, Field("most members of criminal rival pieces", high=2.25 * GANGS, unit=1 / 9)
    ]
    own_criminals: Annotated[
        int, Field("most members of one's own criminal pieces", high=2.25, unit=1 / 9)
    ]
    unowned: Annotated[int, Field("1 if there is a building that nobody owns")]


class Blocks(NamedTuple):
    """The whole observation."""

    phase: Annotated[int, Field("1 for the phase of the decision that is due", each=PHASES)]
    table: Annotated[int, Block(Table, "one's part, options, round and turn")]
    dice: Annotated[
        int,
        Block(
            Die,
            "the dice of the turn; all 0 before they are rolled",
            each=("green", "red", "yellow", "white", "blue"),
        ),
    ]
    seats: Annotated[int, Block(Seat, SEATS, rows=MAX_SEATS)]
    markers: Annotated[int, Block(Markers, "bribe markers and chits that one knows of")]
    pieces: Annotated[
        int,
        Block(
            Piece,
            "R, T and V of each gang: one's own, then the others in turn; to the police, by seat",
            rows=3 * GANGS,
        ),
    ]
    turn: Annotated[int, Block(PieceTurn, "what the active gang's pieces have done", each="RTV")]
    commissioner: Annotated[int, Block(Commissioner, "the Commissioner")]
    officers: Annotated[int, Block(Officer, "the officers", each=OFFICER_IDS)]
    publics: Annotated[int, Block(Public, "the Publics", each=PUBLIC_IDS)]
    joints: Annotated[int, Block(Joint, "the joints", each=BUILDING_CODES[:JOINTS])]
    headquarters: Annotated[
        int, Field("1 for each gray building that the police own", each=BUILDING_CODES[JOINTS:])
    ]
    inside: Annotated[int, Block(Inside, "who stands in each building", each=BUILDING_CODES)]
    move: Annotated[int, Block(Move, "the half-made move, placement, raid or payment")]
    offer: Annotated[int, Block(Offer, "the offer as far as it has been made")]
    fight: Annotated[int, Block(Fight, "the shootout")]
    rivals: Annotated[
        int,
        Block(Rival, "the others in the order of the actions on rivals", rows=MAX_SEATS - 1),
    ]
    buildings: Annotated[
        int,
        Block(
            Building,
            "the buildings: whose, who stands there, who may go there with the dice of the turn",
            each=BUILDING_CODES,
        ),
    ]
    reconstructed: Annotated[int, Block(Reconstructed, "options in place of reconstructed numbers")]
    piece_ends: Annotated[
        int, Block(PieceEnds, "the ends of the moves of one's own pieces", each="RTV")
    ]
    public_ends: Annotated[int, Block(PublicEnds, "those of the Publics", each=PUBLIC_IDS)]
    police_ends: Annotated[
        int,
        Block(PoliceEnds, "those of the officers and the Commissioner", each=(*OFFICER_IDS, "C")),
    ]


LAYOUT: Final = Layout(Blocks)
AT: Final = LAYOUT.at
PLACE_SIZE: Final = row_size(Place)
TABLE: Final = offsets(Table, AT.table)
DIE_SIZE: Final = row_size(Die)
SEAT: Final = offsets(Seat)
SEAT_SIZE: Final = row_size(Seat)
MARKERS: Final = offsets(Markers, AT.markers)
PIECE: Final = offsets(Piece)
PIECE_SIZE: Final = row_size(Piece)
PIECE_TURN: Final = offsets(PieceTurn)
PIECE_TURN_SIZE: Final = row_size(PieceTurn)
COMMISSIONER: Final = offsets(Commissioner, AT.commissioner)
OFFICER: Final = offsets(Officer)
OFFICER_SIZE: Final = row_size(Officer)
PUBLIC: Final = offsets(Public)
PUBLIC_SIZE: Final = row_size(Public)
JOINT: Final = offsets(Joint)
JOINT_SIZE: Final = row_size(Joint)
INSIDE: Final = offsets(Inside)
INSIDE_SIZE: Final = row_size(Inside)
MOVE: Final = offsets(Move, AT.move)
OFFER: Final = offsets(Offer, AT.offer)
FIGHT: Final = offsets(Fight, AT.fight)
RECONSTRUCTED: Final = offsets(Reconstructed, AT.reconstructed)
RIVAL: Final = offsets(Rival)
RIVAL_SIZE: Final = row_size(Rival)
BUILDING: Final = offsets(Building)
BUILDING_SIZE: Final = row_size(Building)
PIECE_ENDS: Final = offsets(PieceEnds)
PIECE_ENDS_SIZE: Final = row_size(PieceEnds)
PUBLIC_ENDS: Final = offsets(PublicEnds)
PUBLIC_ENDS_SIZE: Final = row_size(PublicEnds)
POLICE_ENDS: Final = offsets(PoliceEnds)
POLICE_ENDS_SIZE: Final = row_size(PoliceEnds)
