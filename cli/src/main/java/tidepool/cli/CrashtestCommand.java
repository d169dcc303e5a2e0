package tidepool.cli;

import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tidepool.workload.KillCampaign;

/** {@code tidepool crashtest}: real processes, really killed. */
@Command(
        name = "crashtest",
        description = {
            "Kill processes at random moments, then check everything.",
            "Worker processes on a pool in shared memory are killed and replaced.",
            "Exit code 0 only if the history is strictly serializable, the money adds up, and nothing is left behind.",
            "How soon the survivors can have the keys of the dead is printed, and does not change the exit code."
        })
final class CrashtestCommand implements Callable<Integer> {
    @Option(names = "--kills", paramLabel = "N", description = "How many are killed, default ${DEFAULT-VALUE}.")
    int kills = 300;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Processes at work at a time, default ${DEFAULT-VALUE}.")
    int workers = 3;

    @Option(names = "--seed", paramLabel = "N", description = "Of all random choices, default ${DEFAULT-VALUE}.")
    long seed = 1;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (kills < 1 || kills > 10_000)
            throw new CommandLine.ParameterException(spec.commandLine(), "--kills takes 1 to 10000");
        if (workers < 2 || workers > 16)
            throw new CommandLine.ParameterException(spec.commandLine(), "--workers takes 2 to 16");
        Logger.getLogger("tidepool").setLevel(Level.WARNING);
        KillCampaign.Result result =
                new KillCampaign(kills, workers, seed, spec.commandLine().getOut()::println).run();
        spec.commandLine().getOut().print(result.text());
        spec.commandLine().getOut().flush();
        return result.holds() ? 0 : 1;
    }
}
