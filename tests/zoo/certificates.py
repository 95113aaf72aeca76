"""Certificates, made with the openssl program: one authority, and leaves that each have something wrong with them."""

import pathlib
import ssl
import subprocess
import warnings

NAMES = "DNS:*.zoo.test"
PAST, NOW, FUTURE, END = "20190101000000Z", "20240101000000Z", "20980101000000Z", "20990101000000Z"
CHAIN_COPIES = 400  # of the authority's certificate behind the leaf: 200 KB

CA_CONF = """\
[ca]
default_ca = zoo
[zoo]
database = {folder}/index.txt
new_certs_dir = {folder}
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
"""

# name -> (subject alternative names, key, not before, not after, who signs)
EC, WEAK = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"], ["-newkey", "rsa:1024"]
LEAVES = {
    "good": (NAMES, EC, NOW, END, "authority"),
    "expired": (NAMES, EC, PAST, NOW, "authority"),
    "future": (NAMES, EC, FUTURE, END, "authority"),
    "wrong-host": ("DNS:other.test,DNS:*.other.test,IP:127.4.1.1", EC, NOW, END, "authority"),
    "untrusted": (NAMES, EC, NOW, END, "stranger"),
    "weak-key": (NAMES, WEAK, NOW, END, "authority"),
    "self-signed": (NAMES, EC, NOW, END, None),
}
# name -> the leaf that it shows, where that is another
SHOWN = {"tls-1.0": "good", "tls-1.1": "good", "tls-1.2": "good", "huge-chain": "good", "many-tickets": "good", "weak-cipher": "good"}
TICKETS = 1000


def _openssl(*arguments):
    done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise RuntimeError(f"openssl {arguments[0]} failed: {done.stderr}")


def _authority(name: str, folder: pathlib.Path):
    files = ["-keyout", folder / f"{name}.key", "-out", folder / f"{name}.pem"]
    _openssl("req", "-x509", *EC, "-nodes", "-days", 3650, "-subj", f"/CN={name}", *files)


def _leaf(name: str, folder: pathlib.Path):
    names, key, begins, ends, signer = LEAVES[name]
    made, request, extensions = folder / f"{name}.pem", folder / f"{name}.csr", folder / f"{name}.ext"
    subject = ["-subj", f"/CN={name}", "-keyout", folder / f"{name}.key", "-nodes"]
    if signer is None:
        _openssl("req", "-x509", *key, *subject, "-days", 3650, "-addext", f"subjectAltName={names}", "-out", made)
        return
    extensions.write_text(f"subjectAltName={names}\n", encoding="utf-8")
    _openssl("req", "-new", *key, *subject, "-out", request)
    _openssl(
        "ca", "-batch", "-notext", "-config", folder / "ca.conf", "-cert", folder / f"{signer}.pem", "-keyfile", folder / f"{signer}.key",
        "-startdate", begins, "-enddate", ends, "-extfile", extensions, "-in", request, "-out", made,
    )  # fmt: skip


def _context(name: str, folder: pathlib.Path) -> ssl.SSLContext:
    leaf = SHOWN.get(name, name)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    chain = folder / f"{leaf}.pem"
    if name == "huge-chain":
        chain = folder / "huge-chain.pem"
        chain.write_text((folder / "good.pem").read_text() + (folder / "authority.pem").read_text() * CHAIN_COPIES)
    if leaf == "weak-key" or name in ("tls-1.0", "tls-1.1"):
        context.set_ciphers("ALL:@SECLEVEL=0")
    if name == "weak-cipher":
        context.set_ciphers("AECDH-NULL-SHA:ADH-AES128-SHA:@SECLEVEL=0")
        context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(chain, folder / f"{leaf}.key")
    if name.startswith("tls-1."):
        version = {"0": ssl.TLSVersion.TLSv1, "1": ssl.TLSVersion.TLSv1_1, "2": ssl.TLSVersion.TLSv1_2}[name[-1]]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            context.minimum_version = context.maximum_version = version
    if name == "many-tickets":
        context.num_tickets = TICKETS
    return context


def contexts(names: set[str], folder: pathlib.Path) -> tuple[str, dict[str, ssl.SSLContext]]:
    """The authority to trust, empty when no name needs one, and a context for each name. What `folder` has already is not made again."""
    if not names:
        return "", {}
    if not (folder / "authority.pem").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "ca.conf").write_text(CA_CONF.format(folder=folder), encoding="utf-8")
        (folder / "index.txt").touch()
        _authority("authority", folder)
        _authority("stranger", folder)
    for leaf in {SHOWN.get(name, name) for name in names}:
        if not (folder / f"{leaf}.pem").exists():
            _leaf(leaf, folder)
    return str(folder / "authority.pem"), {name: _context(name, folder) for name in names}
