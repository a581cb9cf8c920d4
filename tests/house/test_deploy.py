"""What deploy/ gives to a host, as far as it can be tried without a container."""

from __future__ import annotations

import re
import shutil
import subprocess
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from outbid.cli import app
from outbid.server.settings import check_base

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SET = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """The compose file, with what it leaves to .env."""
    text = (DEPLOY / "compose.yaml").read_text()
    given = {"OUTBID_NAME": "table.example", "POSTGRES_PASSWORD": "secret"}
    filled = SET.sub(lambda found: given.get(found[1], found[3] if found[2] == "-" else ""), text)
    assert {found[1] for found in SET.finditer(text) if found[2] == "?"} == given.keys()
    return dict(yaml.safe_load(filled))


def test_everything_that_the_compose_file_names_is_there(compose):
    services = compose["services"]
    assert services.keys() == {"outbid", "database", "copies", "folder", "proxy"}
    build = services["outbid"]["build"]
    assert (DEPLOY / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).is_file()
    for one in services.values():
        assert set(one.get("depends_on", ())) <= services.keys()
        assert set(one["networks"]) <= compose["networks"].keys()
        for volume in one["volumes"]:
            source, _, inside = volume.partition(":")
            assert source.startswith("/") or inside.startswith("/")
            if source.startswith("."):
                assert (DEPLOY / source).is_file()
            elif inside:
                assert source in compose["volumes"]


def test_the_database_hands_its_log_over_and_is_copied(compose):
    database, copies, folder = (compose["services"][name] for name in ("database", "copies", "folder"))
    options = dict(word.partition("=")[::2] for word in database["command"] if "=" in word)
    assert options["archive_command"] == "sh /copies.sh archive %p %f"
    assert (options["archive_mode"], int(options["archive_timeout"])) == ("on", 60)
    assert copies["command"] == ["sh", "/copies.sh", "run"]
    for mount in ("copies:/copies", "./copies.sh:/copies.sh:ro", "socket:/run/postgresql"):
        assert mount in database["volumes"]
        assert mount in copies["volumes"]
    assert folder["command"] == ["chown", "postgres:postgres", "/copies"]
    assert folder["restart"] == "no"
    assert "copies:/copies:ro" in compose["services"]["outbid"]["volumes"]


def test_only_the_proxy_is_reached_from_outside_and_only_the_server_reaches_the_database(compose):
    services = compose["services"]
    assert [name for name, one in services.items() if "ports" in one] == ["proxy"]
    assert compose["networks"]["back"]["internal"] is True
    assert services["database"]["networks"] == ["back"]
    assert services["proxy"]["networks"] == ["front"]


def test_no_service_may_do_more_than_it_must(compose):
    for one in compose["services"].values():
        assert one["cap_drop"] == ["ALL"]
        assert one["security_opt"] == ["no-new-privileges:true"]
        assert one["read_only"] is True
        assert "privileged" not in one
    assert "cap_add" not in compose["services"]["outbid"]


def test_the_server_of_the_compose_file_understands_its_options_and_finds_the_others(compose):
    service = compose["services"]["outbid"]
    command, *words = service["command"]
    serve = get_command(app).commands[command]  # type: ignore[attr-defined]
    context = serve.make_context(command, list(words))
    check_base(context.params["base_url"])
    database = context.params["database"]
    assert database == "postgresql+psycopg://outbid@database/outbid"
    other = compose["services"]["database"]["environment"]
    assert other["POSTGRES_USER"] == other["POSTGRES_DB"] == "outbid"
    assert other["POSTGRES_PASSWORD"] == service["environment"]["PGPASSWORD"]
    envvars = {
        name for one in serve.params if one.envvar for name in ([one.envvar] if isinstance(one.envvar, str) else one.envvar)
    }
    told = {name for name in service["environment"] if name.startswith("OUTBID_")}
    assert told == envvars | {"OUTBID_SMTP_PASSWORD", "OUTBID_DESK_PASSWORD"}
    assert compose["services"]["proxy"]["environment"]["OUTBID_SERVER"] == f"outbid:{context.params['port']}"


def test_what_the_proxy_is_told_stands_in_its_file(compose):
    text = (DEPLOY / "Caddyfile").read_text()
    told = compose["services"]["proxy"]["environment"]
    assert set(re.findall(r"\{\$(\w+)", text)) == told.keys()


def test_the_image_has_what_postgresql_needs():
    image = (DEPLOY / "Dockerfile").read_text()
    for name in set(re.findall(r"requirements/\w+\.txt", image)):
        assert (ROOT / name).is_file()
    lock = (ROOT / "requirements/postgres.txt").read_text()
    whole = (ROOT / "requirements/test.txt").read_text()
    assert lock.startswith("psycopg==")
    assert lock in whole  # the tests run with the same
    assert len(re.findall(r"^FROM \$\{PYTHON_IMAGE\}", image, re.M)) == 2


def test_images_of_others_are_named_by_digest_and_can_be_replaced(compose):
    """Ours is built here."""
    image = re.search(r"^ARG (PYTHON_IMAGE)=(.*)$", (DEPLOY / "Dockerfile").read_text(), re.M)
    assert image
    assert compose["services"]["outbid"]["build"]["args"] == [image[1]]
    replaced = re.findall(r"image: \$\{[A-Z]+_IMAGE:-(.*)\}", (DEPLOY / "compose.yaml").read_text())
    assert len(replaced) == len(compose["services"]) - 1
    for one in (image[2], *replaced):
        assert re.fullmatch(r"[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}", one)


def test_the_documented_container_drops_what_it_does_not_need():
    for text in ((DEPLOY / "Dockerfile").read_text(), (ROOT / "docs/hosting.md").read_text()):
        command = re.sub(r"\\\n#?", " ", text.partition("docker run")[2].partition("\n\n")[0])
        for option in (
            "--cap-drop ALL",
            "--read-only",
            "--security-opt no-new-privileges",
            "--pids-limit",
            "--memory",
            "-p 127.0.0.1:",
        ):
            assert option in command


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_the_unit_is_exposed_to_little():
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(DEPLOY / "outbid.service")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout[-300:]


@pytest.mark.parametrize(("one", "other", "same"), [
    ("2001:db8:1:2::5", "2001:db8:1:2:ffff:a0a:a:a0a", True),  # 0a is a line break
    ("2001:db8:1:2::5", "2001:db8:1:3::5", False),
    ("2001:db8::1", "2001:db8::5:0:0:1", True),
    ("198.51.100.7", "198.51.100.8", False),
])  # fmt: skip
def test_nginx_counts_an_ipv6_network_as_one_and_of_ipv4_each_address(one: str, other: str, same: bool):
    text = (DEPLOY / "nginx.conf").read_text()
    default = r"default +\$binary_remote_addr;"
    found = re.search(rf'map \$binary_remote_addr \$outbid_address \{{\s+"~(.+)" \$(\w+);\s+{default}', text)
    assert found
    assert "limit_conn_zone $outbid_address " in text

    def counted(address: str) -> bytes:
        packed = ip_address(address).packed
        network = re.search(f"(?s){found[1].replace('(?s)', '').replace('(?<', '(?P<')}".encode(), packed)
        return network[found[2]] if network else packed

    assert (counted(one) == counted(other)) is same


@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_nginx_accepts_its_file(tmp_path):
    text = (DEPLOY / "nginx.conf").read_text()
    text = re.sub(r"^\s*(listen .*443.*|ssl_.*);$", "", text, flags=re.M).replace("listen 80", "listen 18080")
    text = text.replace("[::]:80", "[::]:18080")
    whole = tmp_path / "nginx.conf"
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "\n".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in kinds)
    head = f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\n"
    whole.write_text(f"{head}http {{\naccess_log off;\n{places}\n{text}\n}}\n")
    done = subprocess.run(["nginx", "-t", "-c", str(whole)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_alert_rules_name_numbers_that_the_server_has_and_commands_that_there_are():
    from outbid.server import metrics

    samples = {sample.name for metric in metrics.REGISTRY.collect() for sample in metric.samples}
    samples |= {f"{name}_bucket" for name in ("outbid_commit_seconds",)} | {"outbid_backup_age_seconds", "up"}
    ends = {sample.labels["end"] for m in metrics.REGISTRY.collect() for sample in m.samples if "end" in sample.labels}
    (group,) = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"]
    admin = get_command(app).commands["admin"].commands  # type: ignore[attr-defined]
    assert len({rule["alert"] for rule in group["rules"]}) == len(group["rules"])
    for rule in group["rules"]:
        named = set(re.findall(r"\b(?:outbid|process)_\w+|\bup\b", rule["expr"]))
        assert named
        assert named <= samples, rule["alert"]
        assert set(re.findall(r'end="(\w+)"', rule["expr"])) <= ends
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert set(re.findall(r"outbid admin (\w+)", rule["annotations"]["do"])) <= admin.keys()
