package tidepool.cli;

import picocli.CommandLine.Command;

/** All tests of all rooms. */
@Command(name = "test", description = "Run all tests and checks; done by the launcher with Maven.")
final class TestCommand extends LauncherCommand {}
