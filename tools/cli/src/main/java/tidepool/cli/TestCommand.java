package tidepool.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tidepool test}: runs all tests of all modules. */
@Command(
        name = "test",
        description = {
            "Run all tests and checks; done by the launcher with Maven.",
            "Without an option meant to take ten minutes on two quiet cores."
        })
final class TestCommand extends LauncherCommand {
    @Option(names = "--quick", description = "Fewer seeds and no long tests: meant to take four minutes.")
    boolean quick;

    @Option(names = "--night", description = "All tests with many seeds: hours.")
    boolean night;
}
