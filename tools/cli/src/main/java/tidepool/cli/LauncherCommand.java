package tidepool.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * A command that the launcher script carries out itself, because it must work when nothing is built. It is declared
 * here so that help and completion list it.
 */
abstract class LauncherCommand implements Runnable, NeedsCheckout {
    @Parameters(paramLabel = "ARGUMENT", arity = "0..*", description = "Passed on to Maven.")
    List<String> arguments;

    @Spec
    CommandSpec spec;

    @Override
    public final void run() {
        throw new UserError("'" + spec.name() + "' is done by the launcher: run ./tidepool " + spec.name());
    }
}
