package tidepool.cli;

import picocli.CommandLine.Command;

/** {@code tidepool format}: formats all sources. */
@Command(name = "format", description = "Format all sources; done by the launcher with Maven.")
final class FormatCommand extends LauncherCommand {}
