#!/usr/bin/env python3
"""Drives the web page in a headless Chromium, as its users would.

Usage: .ci/browser_test.py FOLDER_OF_PROGRAMS [FOLDER_FOR_SCREENSHOTS]

Starts a coordinator and a worker of its own on free ports. Needs Debian's
chromium, chromium-driver, python3-selenium, python3-prometheus-client and
python3-yaml. With a second folder it also takes a screenshot of each page,
light, dark and as wide as a phone.
"""

import base64
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

import yaml
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from programs import Programs

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATIENCE = 40
# Whatever shows a name as markup sets this on the window.
HOSTILE = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>\"'>&lt;"
LEVEL = "##---#-@\n---#-$--\n-##.##--\n-----#-#\n#-#-----\n--##-##-\n------#-\n--###---\n"


class Cluster(Programs):
    """A coordinator and, when asked for, a worker."""

    def __init__(self, folder, data):
        super().__init__(folder)
        said = self.serve("--data", data)
        self.grpc, self.http = said["coordinator"], said["http"]

    def work(self):
        self.start("soko-worker", "--coordinator", self.grpc, "--threads", "1", "--id", "worker-1", "--log", "warn")

    def client(self, *arguments):
        command = [self.folder / "soko-coord", *arguments, "--coordinator", self.grpc, "-o", "json"]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)

    def get(self, path):
        with urllib.request.urlopen(self.http + path, timeout=PATIENCE) as answer:
            return answer.read().decode()


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--hide-scrollbars", "--window-size=1280,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class Page:
    def __init__(self, driver, base):
        self.driver, self.base = driver, base

    def open(self, path):
        self.driver.get(self.base + path)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.driver.execute_script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def until(self, what, condition):
        try:
            return WebDriverWait(self.driver, PATIENCE, poll_frequency=0.1).until(lambda _: condition())
        except Exception as error:
            print(self.text("main"), file=sys.stderr)
            raise AssertionError(f"in vain: {what}") from error

    def keys(self, *keys):
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def clean(self):
        """No complaint of the browser, above all none about the policy, and no script of a name ran."""
        complaints = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"
                      and "Failed to load resource" not in entry["message"]]
        assert not complaints, complaints
        assert self.driver.execute_script("return window.hacked === undefined")


def number(text):
    return float("".join(letter for letter in text if letter.isdigit() or letter == "."))


def test_job_is_seen_live(page, cluster, job):
    """Progress moves and the log grows without a reload."""
    page.open("/")
    page.until("the job is listed", lambda: page.all("#active .card"))
    assert page.text("#active h3 a") == HOSTILE
    assert page.text("#connection") == "live"
    page.driver.execute_script("window.stays = 1")
    before = page.text("#active output")
    cluster.work()
    page.until("progress on the overview", lambda: number(page.text("#active output")) > number(before))
    page.until("the worker is listed", lambda: "worker-1" in page.text("#workers"))
    assert page.driver.execute_script("return window.stays") == 1
    page.clean()

    page.one("#active h3 a").click()
    page.until("the page of the job", lambda: page.text("#title") == HOSTILE)
    assert page.driver.current_url.endswith(job)
    first = number(page.text("#percent"))
    page.until("progress on the page of the job", lambda: number(page.text("#percent")) > first)
    page.until("improvements", lambda: page.all("#log li"))
    page.until("a curve", lambda: page.all("#chart path.step"))
    assert len(page.all("#goals tr")) == 10
    page.clean()


def test_record_appears(page, cluster):
    """A proof changes the record table while it is looked at."""
    page.open("/records")
    row = lambda: page.text("#squares tr[data-key='4 false']")
    page.until("the known levels", lambda: "lower bound" in row())
    page.until("the plot", lambda: page.all("#plot circle"))
    page.driver.execute_script("window.stays = 1")
    cluster.client("submit", "--n", "4", "--mode", "exhaustive", "--priority", "9", "--wait")
    page.until("the proof", lambda: "exact" in row())
    assert page.driver.execute_script("return window.stays") == 1
    page.clean()


def test_done_job_shows_its_level(page, cluster):
    done = next(job for job in cluster.client("jobs", "list")["jobs"] if job["state"] == "done")
    page.open(f"/jobs/{done['job']}")
    page.until("the answer", lambda: "25 moves" in page.text("#answer") and "proven" in page.text("#answer"))
    page.until("its level", lambda: page.all("#witness .board"))
    page.clean()


def man(page):
    return page.one(".player .man").get_attribute("transform")


def test_animation(page):
    page.open("/records/6x6")
    page.until("the board", lambda: page.all("#board .board"))
    assert "78 moves" in page.text("#title")
    assert "78" in page.text("#facts") and len(page.one("#lurd").get_attribute("value")) == 78
    button = lambda name: page.one(f"button[aria-label='{name}']")
    start = man(page)
    button("One move on").click()
    assert page.text(".at").startswith("1 /") and man(page) != start
    button("One move back").click()
    assert page.text(".at").startswith("0 /") and man(page) == start
    button("Play").click()
    page.until("it plays", lambda: number(page.text(".at").split("/")[0]) > 5)
    button("Pause").click()
    held = page.text(".at")
    time.sleep(0.3)
    assert page.text(".at") == held
    Select(page.one("select")).select_by_value("60")
    button("Play").click()
    page.until("it ends", lambda: page.text(".at").startswith("78 /") and page.all("button[aria-label='Play']"))
    solved = page.driver.execute_script(
        "return document.querySelector('.box').getAttribute('transform').match(/[\\d.]+/g).join() ==="
        "['cx', 'cy'].map((it) => document.querySelector('circle.goal').getAttribute(it)).join()")
    assert solved, "the box is not on the goal at the end"
    page.one("input[type=checkbox]").click()
    assert page.one(".path").get_attribute("points").count(" ") == 9, "nine pushes, ten places"
    # Keys alone do as well.
    page.driver.execute_script("document.querySelector('.player').focus()")
    page.keys(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert page.text(".at").startswith("2 /")
    page.keys(" ")
    page.until("it plays", lambda: number(page.text(".at").split("/")[0]) > 4)
    page.keys(" ")
    page.clean()


def put(page, text):
    page.driver.execute_script(
        "const it = document.getElementById('text'); it.value = arguments[0];"
        "it.dispatchEvent(new Event('input', {bubbles: true}))", text)


def test_editor(page):
    page.open("/editor")
    page.until("the grid", lambda: page.all("#grid .box"))
    put(page, f"Title: {HOSTILE}\n\n{LEVEL}")
    page.one("#solve").click()
    page.until("a solution", lambda: "159 moves" in page.text("#result-title"))
    assert HOSTILE in page.text("#result-title")
    page.until("an animation", lambda: page.all("#player .board"))
    page.clean()

    put(page, LEVEL.replace("-##.##--", "$##.##--"))
    assert len(page.all("#grid .box")) == 2
    page.one("#solve").click()
    page.until("the reason", lambda: "2 boxes" in page.text("#message-text"))
    assert page.one("#message").get_attribute("role") == "alert"
    assert not page.one("#result").is_displayed()
    put(page, "-" * 70000)
    page.one("#solve").click()
    page.until("the limit", lambda: "too long" in page.text("#message-text"))

    # By keys alone: three cells, player and box and goal, solved.
    page.open("/editor")
    page.until("the grid", lambda: page.all("#grid .box"))
    page.one("#clear").send_keys(Keys.ENTER)
    page.driver.execute_script("document.querySelector('.grid').focus()")
    page.keys("@", Keys.ARROW_RIGHT, "$", Keys.ARROW_RIGHT, ".")
    assert page.one("#text").get_attribute("value").startswith("@$.---"), page.one("#text").get_attribute("value")
    assert "column 3: goal" in page.text("#cell")
    # The one box moves when it is drawn elsewhere.
    page.keys(Keys.ARROW_DOWN, "$")
    assert page.one("#text").get_attribute("value").startswith("@-.---\n--$---")
    page.one("#undo").send_keys(Keys.ENTER)
    page.one("#solve").send_keys(Keys.ENTER)
    page.until("a solution", lambda: page.text("#result-title") == "1 move")

    # By pointer: a wall where the box has to go leaves no solution.
    cell = page.driver.execute_script(
        "const m = document.querySelector('.grid').getScreenCTM();"
        "const p = new DOMPoint(0.5, 0.5).matrixTransform(m); return [p.x, p.y]")
    page.driver.execute_script("document.querySelector('.grid').scrollIntoView()")
    put(page, "-@$.\n----")
    page.one("input[value='#']").find_element(By.XPATH, "..").click()
    grid = page.one(".grid")
    cell = page.driver.execute_script(
        "const g = arguments[0], m = g.getScreenCTM(), r = g.getBoundingClientRect();"
        "const p = new DOMPoint(1.5, 1.5).matrixTransform(m);"
        "return [p.x - r.x - r.width / 2, p.y - r.y - r.height / 2].map(Math.round)", grid)
    webdriver.ActionChains(page.driver).move_to_element_with_offset(grid, *cell).click().perform()
    assert page.one("#text").get_attribute("value") == "-@$.\n-#--", page.one("#text").get_attribute("value")
    page.clean()


def test_keyboard_reaches_everything(page):
    """Tabs go through the links of the page; the first one skips them."""
    page.open("/records")
    page.until("the table", lambda: page.all("#squares a"))
    seen = []
    for _ in range(8):
        page.keys(Keys.TAB)
        seen.append(page.driver.execute_script(
            "const it = document.activeElement; return it.textContent.trim().slice(0, 30) || it.id"))
    assert seen[:5] == ["Skip to the content", "soko", "Overview", "Records", "Level editor"], seen
    page.open("/records")
    page.until("the table", lambda: page.all("#squares a"))
    unnamed = page.driver.execute_script(
        "return [...document.querySelectorAll('a, button, input, select, textarea, svg[role=img]')].filter((it) =>"
        "!(it.textContent.trim() || it.getAttribute('aria-label') || it.labels?.length)).map((it) => it.outerHTML)")
    assert not unnamed, unnamed
    page.clean()


def test_missing(page):
    page.open("/jobs/0000000000000000")
    assert "nothing here" in page.text("h1")


def test_metrics(cluster):
    families = {family.name: family for family in text_string_to_metric_families(cluster.get("/metrics"))}
    assert families["soko_jobs"].type == "gauge"
    assert families["soko_results"].type == "counter"
    live = [it.value for it in families["soko_workers"].samples if it.labels["state"] == "live"]
    assert live == [1.0], live
    for family in families.values():
        assert family.documentation, family.name
    rules = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yml").read_text())
    for rule in rules["groups"][0]["rules"]:
        assert {"alert", "expr", "labels", "annotations"} <= set(rule), rule
    json.loads((ROOT / "deploy/grafana/soko.json").read_text())


def test_viewers_are_let_go(page, cluster):
    """A page that nobody looks at any more has no stream."""
    page.open("/editor")
    page.until("no stream", lambda: "soko_http_viewers 0.0" in cluster.get("/metrics"))


def screenshots(driver, base, folder, pages):
    folder.mkdir(parents=True, exist_ok=True)
    for kind, width, scheme in (("light", 1280, "light"), ("dark", 1280, "dark"), ("phone", 390, "light")):
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                               {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                               {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500})
        for name, path in pages.items():
            driver.get(base + path)
            time.sleep(1.5)
            size = driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
            assert size["width"] <= width, f"{name} is wider than a {kind} screen"
            clip = {"x": 0, "y": 0, "width": width, "height": min(size["height"], 2600), "scale": 1}
            picture = driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
            (folder / f"{name}-{kind}.png").write_bytes(base64.b64decode(picture["data"]))


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as data, contextlib.ExitStack() as stack:
        cluster = Cluster(programs, data)
        stack.callback(cluster.stop)
        driver = browser()
        stack.callback(driver.quit)
        page = Page(driver, cluster.http)
        # The known levels enter the table in quiet moments, of which a job leaves few.
        page.until("the known levels in the table", lambda: len(cluster.client("records", "list")["records"]) >= 48)
        job = cluster.client("submit", "--n", "7", "--mode", "exhaustive", "--name", HOSTILE)["job"]
        done = lambda: next(it["job"] for it in cluster.client("jobs", "list")["jobs"] if it["state"] == "done")
        for test, arguments in (
            (test_job_is_seen_live, (page, cluster, job)),
            (test_record_appears, (page, cluster)),
            (test_done_job_shows_its_level, (page, cluster)),
            (test_animation, (page,)),
            (test_editor, (page,)),
            (test_keyboard_reaches_everything, (page,)),
            (test_missing, (page,)),
            (test_metrics, (cluster,)),
            (test_viewers_are_let_go, (page, cluster)),
        ):
            began = time.monotonic()
            test(*arguments)
            print(f"   {test.__name__}: {time.monotonic() - began:.1f} s", flush=True)
        if folder:
            screenshots(driver, cluster.http, folder, {
                "overview": "/", "job": f"/jobs/{job}", "done": f"/jobs/{done()}", "records": "/records",
                "record": "/records/8x8", "editor": "/editor", "missing": "/nothing",
            })
        cluster.client("jobs", "cancel", job)


if __name__ == "__main__":
    main()
