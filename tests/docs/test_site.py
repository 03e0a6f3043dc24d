"""The documentation site: built strictly, complete, and read from files without any network."""

from __future__ import annotations

import importlib
import re
from html.parser import HTMLParser

import pytest
import yaml

from tests.browser import DESKTOP, NEEDED, PHONE, WAIT_MS, browser, new_page

pytest.importorskip("zensical", reason="needs the extra docs")
pytest.importorskip("mkdocs_swagger_ui_tag", reason="needs the extra docs")

builder = importlib.import_module("docs.site.build")
links = importlib.import_module("docs.site.links")
roles = importlib.import_module("docs.site.roles")

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return builder.build(tmp_path_factory.mktemp("site"))


def pages_in(nav):
    for entry in nav:
        value = next(iter(entry.values())) if isinstance(entry, dict) else entry
        if isinstance(value, str):
            yield value
        else:
            yield from pages_in(value)


def test_the_navigation_holds_every_page_once(site):
    source = site.parents[1] / builder.SOURCE / "docs"
    staged = {path.relative_to(source).as_posix() for path in source.rglob("*.md")}
    config = yaml.load((builder.ROOT / "mkdocs.yml").read_text(encoding="utf-8"), yaml.BaseLoader)
    listed = list(pages_in(config["nav"]))
    assert set(listed) == staged
    assert len(listed) == len(set(listed))
    for page in listed:
        assert (site / page).with_suffix(".html").is_file()


@pytest.mark.parametrize("name", builder.make_games.NAMES)
def test_the_site_has_the_tables_of_every_game(site, name):
    source = site.parents[1] / builder.SOURCE / "docs"
    observation = (source / "observations" / f"{name}.md").read_text(encoding="utf-8")
    assert observation == builder.observation_page(builder.load(name))
    page = (source / "games" / f"{name}.md").read_text(encoding="utf-8")
    assert builder.make_games.reference(builder.load(name)) in page


class Loads(HTMLParser):
    """What a page loads by itself."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        wanted = tag != "link" or values.get("rel") not in {"canonical", "next", "prev"}
        if tag in LOADED and values.get(LOADED[tag]) and wanted:
            self.found.append(values[LOADED[tag]])


def test_pages_load_nothing_from_elsewhere_and_nothing_that_is_missing(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 50
    for page in pages:
        if page.name == "404.html":  # linked from its own top
            continue
        loads = Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        for target in loads.found:
            if target.startswith("data:"):
                continue
            assert not re.match(r"(?:[a-z]+:)?//", target), f"{page.name} loads {target}"
            file = page.parent / target.partition("?")[0]
            assert file.is_file(), f"{page.name} loads {target}"


def test_what_is_bundled_comes_with_its_licence(site):
    assert "Apache License" in (site / "swagger-ui" / "LICENSE").read_text()
    shim = (site / builder.SHIM_FILE).parent / "iframe-worker-LICENSE"
    assert "Permission is hereby granted" in shim.read_text()


def test_the_reference_documents_what_packages_export(site):
    text = " ".join(page.read_text(encoding="utf-8") for page in (site / "api").glob("*.html"))
    anchors = {anchor.rpartition(".")[2] for anchor in re.findall(r'id="(gangland\.[\w.]+)"', text)}
    for name in ("envs", "agents", "arena", "arena.ladder", "envs.testing", "client"):
        package = importlib.import_module(f"gangland.{name}")
        missing = [public for public in package.__all__ if public not in anchors]
        assert not missing, f"gangland.{name}: {missing}"
    assert ":class:" not in text
    assert ":func:" not in text


IMPORT = re.compile(r"^from (gangland[\w.]*) import ([\w, ]+)$", re.M)


def imported_by_readers():
    """Module and name of all that the pages and the examples import from us."""
    pages = [*builder.ROOT.glob("docs/*.md"), *builder.ROOT.glob("docs/tutorials/*")]
    for page in [builder.ROOT / "README.md", *pages, *builder.ROOT.glob("examples/**/*.py")]:
        text = page.read_text(encoding="utf-8").replace('\\n",\n    "', "\n")
        for module, names in IMPORT.findall(text):
            for name in names.split(", "):
                yield page.name, module, name.partition(" as ")[0].strip()


def defined(module, name):
    """Where the name is defined; where it is imported from, if that cannot be imported here."""
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError):
        return f"{module}.{name}"
    return f"{getattr(found, '__module__', module)}.{name}"


def test_the_reference_documents_what_guides_and_examples_import(site):
    text = " ".join(page.read_text(encoding="utf-8") for page in (site / "api").glob("*.html"))
    anchors = set(re.findall(r'id="(gangland\.[\w.]+)"', text))
    messages = (site / "messages.html").read_text(encoding="utf-8")
    found = {one for one in imported_by_readers() if not one[2].endswith("_v0")}  # env() alone
    assert len({name for _, _, name in found}) > 30
    missing = [
        f"{page}: {module}.{name}"
        for page, module, name in sorted(found)
        if not {f"{module}.{name}", defined(module, name)} & anchors
        and not (module == "gangland.serving.protocol" and f'id="{name.lower()}"' in messages)
    ]
    assert not missing


@NEEDED
def test_it_is_read_and_searched_from_files(site):
    pytest.importorskip("playwright.sync_api")
    with browser() as chromium:
        page = new_page(chromium, viewport=DESKTOP)
        wanted, wrong = [], []
        page.on("request", lambda request: wanted.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto((site / "index.html").as_uri())
        # The key is heard once the scripts have run, which is after the page has loaded.
        for _ in range(WAIT_MS // 200):
            if page.locator("input:focus").count():
                break
            page.keyboard.press("/")
            page.wait_for_timeout(200)
        # All at once, and Enter when that has been answered: the results of a part of the word lead
        # elsewhere, and on a busy machine they stand for a while.
        page.locator("input:focus").fill("exploitability")
        page.locator("a[href*='h=exploitability']").first.wait_for()
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(r"arena\.html|exploitability\.html"))
        schemes = {url.partition(":")[0] for url in wanted}
        assert schemes <= {"file", "blob", "data"}, [url for url in wanted if url[:4] == "http"]
        assert not wrong


@pytest.mark.slow
@NEEDED
def test_it_is_light_or_dark_as_the_reader_has_it(site):
    pytest.importorskip("playwright.sync_api")
    behind = "getComputedStyle(document.body).backgroundColor"
    shown = {}
    with browser() as chromium:
        for scheme in ("light", "dark"):
            page = new_page(chromium, viewport=DESKTOP, color_scheme=scheme)
            page.goto((site / "index.html").as_uri())
            red, green, blue = map(int, re.findall(r"\d+", page.evaluate(behind))[:3])
            shown[scheme] = (red + green + blue) / 3
    assert shown["light"] > 200
    assert shown["dark"] < 60


@pytest.mark.slow
@NEEDED
def test_swagger_ui_lists_the_endpoints_from_a_file(site):
    pytest.importorskip("playwright.sync_api")
    with browser() as chromium:
        page = new_page(chromium, viewport=DESKTOP)
        wanted = []
        page.on("request", lambda request: wanted.append(request.url))
        page.goto((site / "swagger.html").as_uri())
        page.locator(".opblock").first.wait_for()
        assert page.locator(".opblock").count() >= 18
        assert not [url for url in wanted if url.startswith("http")]


@pytest.mark.slow
@NEEDED
def test_no_page_is_wider_than_a_phone(site):
    pytest.importorskip("playwright.sync_api")
    with browser() as chromium:
        page = new_page(chromium, viewport=PHONE)
        for name in ("index", "games/gangsters", "tutorials/own_ppo", "benchmark", "api/agents"):
            page.goto((site / f"{name}.html").as_uri())
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= PHONE["width"], f"{name}: {width}"


def plant(folder):
    docs = folder / builder.SOURCE / "docs"
    docs.mkdir(parents=True)
    (docs / "index.md").write_text("# Page\n\n[nothing](nothing.md)\n")
    config = {"site_name": "x", "docs_dir": f"{builder.SOURCE}/docs", "site_dir": str(builder.SITE)}
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(config))


def test_a_warning_stops_the_build(tmp_path, monkeypatch):
    """A page with a link to nothing is an error that names the page."""
    monkeypatch.setattr(builder, "stage", plant)
    with pytest.raises(builder.SiteError, match=r"index\.md.*does not exist"):
        builder.build(tmp_path)


PLACED = {"docs/a.md": "a.md", "envs/x/RULES.md": "rules/x.md", "docs/games/x.md": "games/x.md"}


@pytest.mark.parametrize(
    ("source", "text", "wanted"),
    [
        ("docs/a.md", "[r](../envs/x/RULES.md)", "[r](rules/x.md)"),
        ("docs/a.md", "[`r`](../envs/x/RULES.md#top)", "[`r`](rules/x.md#top)"),
        ("docs/games/x.md", "[r](../../envs/x/RULES.md)", "[r](../rules/x.md)"),
        ("envs/x/RULES.md", "[a](../../docs/a.md)", "[a](../a.md)"),
        ("docs/a.md", "[make](../Makefile)", "make"),
        ("docs/a.md", "[gone](../gone.md)", "[gone](../gone.md)"),
        ("docs/a.md", "[w](https://x.org) [h](#here)", "[w](https://x.org) [h](#here)"),
        ("docs/a.md", "```py\nx[i](../Makefile)\n```", "```py\nx[i](../Makefile)\n```"),
    ],
)
def test_links_are_those_of_the_site(source, text, wanted):
    assert links.relink(text, source, PLACED, builder.ROOT) == wanted


def test_docstrings_are_shown_as_markdown():
    said = "See :class:`~gangland.x.Y` and :func:`f`. Usage::\n\n    code\n"
    assert roles.as_markdown(said) == "See `Y` and `f`. Usage:\n\n    code\n"
    assert roles.as_markdown(">>> f()\n[1]\n\nText.") == "```pycon\n>>> f()\n[1]\n```\n\nText."
