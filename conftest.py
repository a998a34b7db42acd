"""What every test and every notebook kernel inherits: the same hash order and line width, no library's deprecation notes; and the closing lines."""
import os
import signal
import statistics

from hypothesis import settings

os.environ.setdefault("PYTHONWARNINGS", "ignore::DeprecationWarning,ignore::FutureWarning")
os.environ.setdefault("PYTHONHASHSEED", "0")
os.environ.setdefault("COLUMNS", "100")
os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:       # as in a shell's background job; the tests of the stop button need it
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("house", deadline=None, print_blob=True)      # no test measures time
settings.load_profile("house")


def pytest_terminal_summary(terminalreporter):
    reports = [report for reports in terminalreporter.stats.values() for report in reports if "browser" in getattr(report, "nodeid", "")]
    latencies = {name: times for report in reports for name, times in getattr(report, "user_properties", ())}
    if latencies:
        terminalreporter.section("key press to changed view, in milliseconds")
        for name, times in sorted(latencies.items()):
            ordered = sorted(times)
            p95 = ordered[round(0.95 * (len(ordered) - 1))]
            terminalreporter.write_line(f"{name:<40} median {statistics.median(ordered):5.0f}   p95 {p95:5.0f}   n {len(ordered)}")
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if "browser" in report.nodeid]
    if skipped:
        terminalreporter.section("browser tests were skipped")
        terminalreporter.write_line("To run them install Chromium (Debian and Ubuntu: apt install chromium), "
                                    "or name a Chrome: CHROMIUM=/path/to/chrome make test")
