package tidepool.cli;

import picocli.CommandLine.Command;

/** {@code tidepool dist}: makes the distribution. */
@Command(
        name = "dist",
        description = {
            "Make tidepool-VERSION.tar.gz; done by the launcher with Maven.",
            "The archive runs on a Java runtime 25 without Maven or sources.",
            "It is made from a clean build: one commit gives the same bytes. See docs/operating/install.md."
        })
final class DistCommand extends LauncherCommand {}
