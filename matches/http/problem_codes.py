"""Every code of the service itself: status, title, and what a client should do. Games add their own."""

from typing import NamedTuple

from matches.http.season_codes import SEASON_CODES


class Entry(NamedTuple):
    """The meaning of a code."""

    status: int
    title: str
    what_to_do: str


_RETRY = "Wait as long as Retry-After says, then send the same request again."

PROBLEMS: dict[str, Entry] = {
    # The request
    "malformed": Entry(400, "Malformed request", "The detail names the fault. Correct it and send again."),
    "unknown_command": Entry(
        400, "No such command", "The game doesn't know this command. Its schemas list those that it knows."
    ),
    "bad_host": Entry(400, "Unknown host", "The service doesn't answer to this Host header."),
    "not_found": Entry(404, "Not found", "It doesn't exist, or you may not see it. Check the address and who you are."),
    "method_not_allowed": Entry(405, "Method not allowed", "The Allow header lists what this address answers to."),
    "not_acceptable": Entry(406, "Not acceptable", "Ask for application/json, or send no Accept header."),
    "headers_too_large": Entry(431, "Headers too large", "A request's line and headers hold at most 16384 bytes."),
    "too_large": Entry(
        413,
        "Content too large",
        "A request body holds at most 65536 bytes, a picture 2097152, a contest 1048576, of which 262144 are stored.",
    ),
    "unsupported_media_type": Entry(
        415,
        "Unsupported media type",
        "Send the body in UTF-8 with Content-Type: application/json; a picture as image/png, image/jpeg or image/webp.",
    ),
    # Authentication
    "not_authenticated": Entry(
        401, "Log in first", "Send Authorization: Bearer and a token, made by POST /api/v1/tokens."
    ),
    "bad_token": Entry(401, "Token refused", "The token is unknown, expired or revoked. Make a new one."),
    "bad_credentials": Entry(401, "Name or password wrong", "Check both. Capital letters matter in the password."),
    "forbidden": Entry(403, "Not allowed", "You can see this, but the act isn't yours. Ask its host."),
    "plays_here": Entry(
        403,
        "Whoever plays doesn't host",
        "A player, or a former one, can't run the match or season. Ask another host, or an organiser who doesn't play.",
    ),
    "sealed": Entry(
        403,
        "Sealed for now",
        "Until the rules open it, officials see what spectators see. The detail says when that is; ask again then.",
    ),
    "at_their_match": Entry(
        403,
        "Not while you are at a match with them",
        "Ask an official who neither sits nor sat at the account's match, nor plays in its season; or the operator.",
    ),
    "missing_scope": Entry(
        403, "The token's scope is too narrow", "Make a token with the scope that the detail names."
    ),
    "csrf_failed": Entry(403, "Cross-site check failed", "Send the page's X-CSRFToken, or use a token, not a cookie."),
    "muted": Entry(403, "Muted", "The detail says by whom, why, and until when. Read on; what you hear is the same."),
    "not_for_guests": Entry(
        403,
        "Not for guests",
        "Sign up first, in the browser that the guest plays in: the guest's matches come along. Tokens, notices, talk, "
        "seasons, and matches opened for other people are for accounts.",
    ),
    "signup_closed": Entry(403, "Sign-up is closed", "Ask the organiser for an account."),
    "name_taken": Entry(409, "Name taken", "Choose another name; names that look alike count as one."),
    "bad_name": Entry(422, "Name refused", "The detail says what a name may hold."),
    "bad_email": Entry(422, "Address refused", "The detail says what an e-mail address must be like."),
    "no_email": Entry(404, "No e-mail address", "Set one first: PUT /api/v1/me/email."),
    "no_mail": Entry(
        409, "This house sends no letters", "Its operator sets CROUPIER_PUBLIC_URL first. Ask an organiser for a link."
    ),
    "bad_link": Entry(422, "The link is good no more", "It was used, has ended, or isn't whole. Ask for a new letter."),
    "bad_push": Entry(422, "Subscription refused", "The detail says what a browser's subscription must be like."),
    "bad_webhook": Entry(422, "Webhook refused", "The detail says what the URL must be like."),
    "bad_picture": Entry(422, "Picture refused", "The detail names the rule. Correct the picture and send it again."),
    "no_picture": Entry(404, "No uploaded picture", "The portrait is a drawn one; nothing is to be taken away."),
    "no_such_face": Entry(422, "No such face", "GET /api/v1/me/portrait lists the faces drawn for you, by number."),
    "no_webhook": Entry(404, "No webhook", "Set one first: PUT .../webhook."),
    "no_such_time_zone": Entry(
        422, "No such time zone", "Give a name of the IANA time zone database, such as Europe/Vienna, or UTC."
    ),
    "weak_password": Entry(422, "Password refused", "The detail says what is wrong with it."),
    # Commands
    "idempotency_key_missing": Entry(
        428,
        "Idempotency-Key missing",
        "Send a fresh Idempotency-Key with each command, and the same one with a retry.",
    ),
    "idempotency_key_reused": Entry(
        422, "Idempotency-Key reused", "This key was used for another command. Take a fresh key for each."
    ),
    "version_behind": Entry(
        412, "The match has moved on", "Read the match again, then decide whether the command still fits."
    ),
    "never_happened": Entry(
        404,
        "It never happened",
        "Nothing is stored under this key: the command wasn't accepted, or the house has lost it since. Read the match,"
        " then send the command again under the same key: it happens once. Answers of a match that is over are kept for"
        " two days.",
    ),
    "history_changed": Entry(
        409,
        "Not in the match's record",
        "The record doesn't reach what you name, or holds something else there: the house has lost its last events"
        " since you were told them, or you never were. Forget what came after `version`, and read the match anew.",
    ),
    "conflict": Entry(409, "Somebody was faster", "The match changed meanwhile. Read it again and retry."),
    # The match
    "not_your_turn": Entry(409, "Not your turn", "Wait until `due` names your seat."),
    "not_now": Entry(409, "Not now", "`due` names the commands that your seat may give now."),
    "not_asked": Entry(409, "The lesson asks for something else", "Do what the step asks for, or skip it."),
    "dealer_due": Entry(409, "The dealer is at work", "Try again in a moment."),
    "match_over": Entry(409, "The match is over", "Nothing more can be done; read its outcome."),
    "aids_off": Entry(
        409, "Played without that aid", "The match's `aids` name what thinks for its players. Do it yourself."
    ),
    "flag_fallen": Entry(409, "Your time ran out", "Read the match again to see what followed."),
    "deadline_passed": Entry(409, "The deadline has passed", "Read the match again to see what followed."),
    "not_started": Entry(409, "The match hasn't started", "Wait for its host to start it."),
    "not_open_yet": Entry(409, "The match hasn't opened", "It is scheduled; the detail tells for when."),
    "bad_opening_time": Entry(
        422,
        "No time to open at",
        "Schedule the match for an instant within the coming year that gives its players the season's least notice; "
        "they agree on one before its check-in opens.",
    ),
    "already_started": Entry(409, "The match has started", "This can be done before the start only."),
    "match_paused": Entry(409, "The match is paused", "Wait for its host to resume it."),
    "not_paused": Entry(409, "The match isn't paused", "Only a paused match can be resumed."),
    "no_winner": Entry(422, "No winner named", "Name the seats that have won; a match that nobody wins is void."),
    "knows_secrets": Entry(
        409, "That player knows too much", "They have seen secrets of this match. Choose somebody who hasn't, or a bot."
    ),
    "nobody_absent": Entry(409, "Nobody is absent there", "Only for a player's seat can somebody stand in."),
    "stand_in_seated": Entry(
        409, "Somebody stands in", "End it first: POST .../stand-in/end, which the seat's player may do too."
    ),
    "no_stand_in": Entry(409, "Nobody stands in", "The seat's player plays it."),
    "too_many_rows": Entry(422, "Too many rows for a file", "Read the list as JSON: send no Accept header."),
    "no_such_version": Entry(
        422, "No such version to rewind to", "Choose a version from the match's start on, before the newest."
    ),
    "amid_an_act": Entry(
        422, "The version lies amid an act", "Rewind to the version before or after all that the act brought."
    ),
    "too_many_appeals": Entry(409, "Too many open appeals", "Wait until a host has answered."),
    "no_such_text": Entry(
        404, "No such text", "Take the commitment from `texts` of an event. A text that was withdrawn is gone."
    ),
    "no_such_appeal": Entry(404, "No such appeal", "GET .../appeals lists the match's appeals."),
    "appeal_closed": Entry(409, "The appeal is closed", "It has been answered. A seat may appeal again."),
    "nothing_to_approve": Entry(409, "Nothing to approve", "Only a match opened with `approval` waits for one."),
    "not_finished": Entry(409, "The match hasn't finished", "Wait for its end, or adjudicate it."),
    "no_rematch_in_season": Entry(
        409, "No rematch in a season", "Open a friendly with the same seats; the season's own matches are its to give."
    ),
    "no_such_remark": Entry(404, "No such remark", "GET .../remarks lists what was said, by its number."),
    "no_such_mute": Entry(404, "No such mute", "GET .../mutes lists the mutes here, by their numbers."),
    "bad_block": Entry(422, "Not to be blocked", "Block somebody else, or take others off the list first."),
    "rematch_off": Entry(409, "The rematch was called off", "Nobody is asked twice: open a new match."),
    "no_rematch": Entry(404, "No rematch yet", "Nobody has offered one; POST to the same address offers it."),
    "no_offers_in_season": Entry(
        409, "No offers in a season", "A season's match is paused and rewound by its officials alone: ask them."
    ),
    "nobody_to_ask": Entry(
        409, "Nobody to ask", "Offers are answered by people: a program at the table, or in a player's place, declines."
    ),
    "already_offered": Entry(409, "Offered already", "Wait for the answer, or withdraw the offer."),
    "offered_enough": Entry(
        409, "Offered often enough", "After two offers of a kind wait until somebody has moved, then offer it again."
    ),
    "nothing_to_take_back": Entry(409, "Nothing to take back", "Offer a takeback once you have moved."),
    "no_such_offer": Entry(404, "No such offer", "GET .../offers lists the match's open offers."),
    "offer_closed": Entry(
        409, "The offer is closed", "It was answered or withdrawn, or somebody moved. A seat may make another."
    ),
    "own_offer": Entry(409, "The offer is your own", "Your own offer is withdrawn by declining it."),
    "already_approved": Entry(409, "The result is approved", "Nothing more is needed; it counts."),
    "seats_open": Entry(409, "A seat is still open", "Invite a player, or seat a bot."),
    "player_gone": Entry(
        409, "A player is gone", "An account in a seat is switched off or erased: substitute it, or void the match."
    ),
    "not_open_to_you": Entry(
        403, "The seat isn't open to you", "GET /api/v1/seeks lists the seats that you may take; else ask for a link."
    ),
    "no_seek_in_season": Entry(
        409, "A season's seats aren't open", "The season seats its players; organisers enrol more of them."
    ),
    "seat_taken": Entry(409, "The seat is taken", "Choose another seat."),
    "already_seated": Entry(409, "You already sit here", "One player holds one seat."),
    "already_accepted": Entry(
        409, "The seat is accepted", "Who has accepted resigns once the match runs, or asks its host for a substitute."
    ),
    "nonce_given": Entry(409, "The nonce is given", "A seat gives one nonce, and it stands."),
    "too_many_matches": Entry(
        409,
        "Too many matches at once",
        "Let one of the matches that you have opened end, or declare one void (POST .../void), then open the next.",
    ),
    "too_many_proposals": Entry(
        409, "Too many proposals for one match", "Accept a time that another one proposes, or ask who runs the season."
    ),
    "too_many_bot_matches": Entry(
        409,
        "Too many matches among bots",
        "Let one of them end, or declare one void (POST .../void), or let a person play. A match with a person in it "
        "isn't counted here.",
    ),
    "nonces_closed": Entry(
        409, "No nonce is taken any more", "The audit tells whose are in the draws; promise yours before the start."
    ),
    "nonce_too_early": Entry(
        409, "Don't show it yet", "Wait until the match's `nonces.step` is `show`; others may still give theirs."
    ),
    "nonce_mismatch": Entry(
        422, "Another nonce was promised", "Send the nonce whose commitment you gave, as 64 lower-case hex digits."
    ),
    "nonces_called": Entry(
        409, "The start is called", "Play begins with the last promised nonce, or 15 seconds after the call."
    ),
    "content_faulty": Entry(422, "The contest has faults", "`faults` lists all of them with their places."),
    "version_missing": Entry(428, "If-Match is missing", "Name the version that you have changed, as its ETag does."),
    "too_many_contests": Entry(409, "Too many contests", "Delete one that was never published."),
    "not_published": Entry(409, "Not published", "Only a published contest can be retired; DELETE a private one."),
    "is_published": Entry(409, "Already published", "Others may use it: retire it (POST .../retire)."),
    "trial_running": Entry(409, "Another trial is running", "Wait for its end, or cancel it with DELETE."),
    "bad_seats": Entry(422, "Too few or too many players", "The content says for how many players it is."),
    "no_such_game": Entry(422, "No such game", "GET /api/v1/games lists the games."),
    "no_such_player": Entry(422, "No such player", "A player is an account's id, `bot`, or null for an invitation."),
    "no_such_invitation": Entry(422, "Invitation refused", "Ask whoever opened the match for a new invitation."),
    "record_broken": Entry(
        503,
        "The match is frozen",
        "Its stored record doesn't hold together; a person has to look at it first.",
    ),
    "no_checkpoint": Entry(404, "No signed checkpoint covers it", "One is made within minutes; leave `size` out."),
    "no_seats_act": Entry(404, "No seat's act", "Name the version of an event that a seat's own act brought."),
    "still_seated": Entry(
        409,
        "You are in a match or season",
        "Leave it, or ask its host to substitute you; then the account can be erased.",
    ),
    "nothing_due": Entry(409, "Nothing is due", "Read the match again."),
    "no_prompt": Entry(409, "Nothing to decide", "The seat's clock doesn't run."),
    "too_much_time": Entry(409, "No more time", "Pause the match instead, or let the turn end."),
    "no_such_seat": Entry(422, "No such seat", "The detail says which seats there are."),
    "bad_options": Entry(
        422,
        "Options refused",
        "The game's page describes its options. `faults` lists all faults of a contest, each with its place.",
    ),
    # The service
    "too_many_requests": Entry(429, "Too many requests", _RETRY),
    "too_many_connections": Entry(
        429,
        "Too many connections",
        "Your address holds as many connections as it may. Use fewer, and each for many requests.",
    ),
    "internal": Entry(500, "The service failed", "It has been logged. Report the request_id if it happens again."),
    "unavailable": Entry(503, "The database is away", _RETRY),
    "overloaded": Entry(503, "Too many commands at once", f"Nothing has happened. {_RETRY}"),
    "archive_unavailable": Entry(
        503,
        "The archive is away",
        f"The record lies in the archive, which doesn't answer. {_RETRY} Matches under way don't need it.",
    ),
    "limits_unavailable": Entry(503, "Sign-in is paused", _RETRY),
    "pictures_busy": Entry(503, "Too many pictures at once", f"{_RETRY} A board is there as SVG at once."),
}

PROBLEMS |= {code: Entry(*fields) for code, fields in SEASON_CODES.items()}


def entry(code: str) -> Entry:
    """Return the meaning of a code; one that isn't listed is a game's own refusal."""
    return PROBLEMS.get(code) or Entry(
        422,
        "Against the rules",
        "The game refused it. Its rules are at /api/v1/games/<slug>; GET .../legal lists what is legal.",
    )
