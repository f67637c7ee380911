"""The web server: NiceGUI with the hall and the host's page, every asset from this machine."""

from __future__ import annotations

import json
import re
import socket
import ssl
from contextlib import suppress
from functools import partial
from pathlib import Path

from fastapi import Request
from fastapi.responses import RedirectResponse
from nicegui import app, background_tasks, ui

from cardtable.eyes import Eyes
from cardtable.page.buttons import ButtonsPage
from cardtable.page.calibrate import CalibratePage, add_picture
from cardtable.page.camera import add_camera_routes, open_camera_page
from cardtable.page.errors import PageError
from cardtable.page.feed import Feed, Shots
from cardtable.page.hall import HallPage
from cardtable.page.host import HostPage
from cardtable.page.pieces import markup
from cardtable.page.proof import add_clips, open_proof
from cardtable.page.rules import open_rules
from cardtable.page.seat import SeatPage
from cardtable.page.visit import OpenPage, Show, Visit
from cardtable.page.words import LANGUAGES, say
from cardtable.session import Driver
from engine.seats import Seat

_HERE = Path(__file__).parent
_STYLES = ("page.css", "host.css", "camera.css", "calibrate.css", "rules.css")
_CSS = "".join((_HERE / name).read_text(encoding="utf-8") for name in _STYLES)
_TAPS = (_HERE / "tap.js").read_text(encoding="utf-8")
_COOKIE = "cardtable-language"
_PAGE = re.compile(r"/([a-z]+(/\w+)?)?")
"""Where the language switch may lead back to."""
_YEAR_S = 365 * 24 * 3600


def serve(
    driver: Driver,
    *,
    host: str = "0.0.0.0",
    port: int = 8080,
    language: str = "en",
    certificate: Path | None = None,
) -> None:
    """Shows the driver's session to every browser that comes, until Ctrl+C; raises `PageError` when it cannot listen.

    Must be called in the main thread; the driver runs in another. `language` is for browsers that have not chosen one.
    With a `certificate` (a PEM file that holds its key, too) the pages are served over https: a phone's browser gives
    its camera to no others.
    """
    _check_port(host, port)
    _check_certificate(certificate)
    address = f"{'https' if certificate else 'http'}://{_name(host)}:{port}"
    feed = Feed(driver, address)
    _add_pages(feed, language)
    app.on_startup(lambda: background_tasks.create(feed.run(), name="feed"))
    print(f"The hall is at {address}/ and the host's page at {address}/host")
    print("Stop with Ctrl+C.", flush=True)
    with suppress(KeyboardInterrupt):
        _run(host, port, certificate)


def _run(host: str, port: int, certificate: Path | None) -> None:
    pem = None if certificate is None else str(certificate)
    ui.run(
        host=host,
        port=port,
        title="cardtable",
        favicon="🃏",
        dark=True,
        tailwind=False,
        reload=False,
        show=False,
        show_welcome_message=False,
        reconnect_timeout=5.0,
        ssl_certfile=pem,
        ssl_keyfile=pem,
    )


def _check_certificate(path: Path | None) -> None:
    if path is None:
        return
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(path)
    except OSError as error:
        reason = "it holds no certificate with its key" if isinstance(error, ssl.SSLError) else error.strerror
        raise PageError(f"the certificate {path} cannot be used ({reason}); docs/cameras.md makes one") from None


def _check_port(host: str, port: int) -> None:
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as error:
            reason = error.strerror or error
            raise PageError(f"the page cannot listen on {host}:{port} ({reason}); choose another --port") from error


def _name(host: str) -> str:
    """An address that other devices in the house can use."""
    if host not in ("0.0.0.0", "::"):
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: connecting a datagram socket only makes the system choose the outgoing address.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "localhost"


def _add_pages(feed: Feed, language: str) -> None:
    for path, open_page in PAGES.items():
        _add_page(feed, language, path, open_page)
    add_clips(app, feed)
    add_picture(app, feed)
    add_camera_routes(app, feed)

    @app.get("/language/{chosen}")
    def choose(chosen: str, to: str = "/") -> RedirectResponse:
        answer = RedirectResponse(to if _PAGE.fullmatch(to) else "/", status_code=303)
        if chosen in LANGUAGES:
            answer.set_cookie(_COOKIE, chosen, max_age=_YEAR_S, samesite="lax")
        return answer


def _add_page(feed: Feed, language: str, path: str, open_page: OpenPage) -> None:
    @ui.page(path)
    def page(request: Request) -> None:
        chosen = _dress(request, language)
        show = open_page(Visit(feed, ui.context.client, chosen, request.url.path, request.path_params))
        if show is not None:
            _keep_shown(feed, chosen, show)


def _open_hall(visit: Visit) -> Show:
    return HallPage(visit.build_switch).show


def _open_host(visit: Visit) -> Show:
    return HostPage(visit.desk("page:host"), partial(_build_links, visit)).show


def _open_seat(visit: Visit) -> Show:
    seat = Seat(visit.parameters["letter"].upper())
    return SeatPage(visit.desk(f"page:{seat}"), seat, visit.build_switch).show


def _open_buttons(visit: Visit) -> Show:
    return ButtonsPage(visit.desk("page:host"), partial(_build_links, visit)).show


def _open_calibrate(visit: Visit) -> None:
    eyes = visit.feed.driver.session.tracker
    desk = visit.desk("page:host")
    CalibratePage(desk, eyes if isinstance(eyes, Eyes) else None, partial(_build_links, visit))


def _build_links(visit: Visit) -> None:
    rules = f"/rules/{visit.feed.driver.session.plan.game}"
    pages = (("/", "hall"), ("/host", "host"), ("/buttons", "buttons"), ("/calibrate", "calibrate"), (rules, "rules"))
    for path, word in pages:
        if path != visit.path:
            markup(f'<a href="{path}">{say(visit.language, word)}</a>')
    visit.build_switch()


PAGES: dict[str, OpenPage] = {
    "/": _open_hall,
    "/host": _open_host,
    "/seat/{letter}": _open_seat,
    "/buttons": _open_buttons,
    "/calibrate": _open_calibrate,
    "/camera": open_camera_page,
    "/proof/{number}": open_proof,
    "/rules/{game}": open_rules,
}
"""Every page by its path. A page builds itself where NiceGUI stands and returns what brings it to a new moment, if it
shows the session at all."""


def _keep_shown(feed: Feed, language: str, show: Show) -> None:
    """Shows the present moment in this browser, and every later one until it is gone."""

    def show_mine(shots: Shots) -> None:
        if language in shots:
            show(shots[language])

    show_mine(feed.shots)
    ui.context.client.on_delete(feed.watch(show_mine))


def _language_of(request: Request, default: str) -> str:
    chosen = request.cookies.get(_COOKIE, default)
    return chosen if chosen in LANGUAGES else default


def _dress(request: Request, default: str) -> str:
    """Gives a page its style and its lost-connection notice; returns the reader's language."""
    language = _language_of(request, default)
    ui.add_css(_CSS)
    lost = json.dumps([say(language, "lost-connection"), ""])
    ui.add_head_html(f"<script>{_TAPS}</script>")
    ui.add_body_html(
        f"<script>document.querySelectorAll('#popup span').forEach((span, i) => span.textContent = {lost}[i])</script>"
    )
    return language
