package tidepool.bench.race;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.Workloads;

/**
 * A contender in its own JVM. Carries out lines on its standard input until the input ends:
 *
 * <pre>
 *   (start)                  ready TYPE,TYPE… SETTINGS
 *   warm-up                  warm
 *   round MILLIS             progress …  at intervals, see {@link RoundProgress};
 *                            then  result …  see {@link RoundResult}
 *   check                    wrong SENTENCE  for each finding; then  checked
 *   anything goes wrong      failed WHY
 * </pre>
 */
public final class ContenderMain {
    private ContenderMain() {}

    /**
     * Arguments: entry, workload, scale, folder, threads, coordinators, rate, attempts, seed, nodes, replicas, memory.
     */
    public static void main(String[] arguments) throws IOException {
        // Libraries print to standard output; our answers use a stream of their own.
        PrintStream answers = System.out;
        System.setOut(System.err);
        Logger.getLogger("").setLevel(Level.WARNING);
        try {
            obey(arguments, answers);
        } catch (RuntimeException | Error e) {
            e.printStackTrace();
            answers.println("failed " + sentence(e));
        }
        answers.flush();
        // Threads of foreign libraries may not end by themselves.
        Runtime.getRuntime().halt(0);
    }

    private static String sentence(Throwable e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        return message.lines().findFirst().orElse(e.toString());
    }

    private static void obey(String[] arguments, PrintStream answers) throws IOException {
        int threads = Integer.parseInt(arguments[4]);
        RaceEntry entry = RaceEntry.parse(arguments[0]);
        boolean oneDriver = !entry.isOurs() && Peers.isPipelined(entry.name());
        int coordinators = oneDriver ? 1 : Integer.parseInt(arguments[5]);
        if (!entry.isOurs() && Peers.isSynced(entry.name())) {
            threads *= coordinators;
            coordinators = 1;
        }
        ThreadOptions threadOptions = new ThreadOptions(
                threads, coordinators, Double.parseDouble(arguments[6]), Long.parseLong(arguments[8]));
        ContenderOptions options = new ContenderOptions(
                entry,
                Workloads.named(arguments[1], Scale.named(arguments[2])),
                Path.of(arguments[3]),
                threads,
                threadOptions.drivers(),
                new PoolShape(
                        Integer.parseInt(arguments[9]), Integer.parseInt(arguments[10]), Long.parseLong(arguments[11])),
                Integer.parseInt(arguments[7]));
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Contender contender = Contenders.open(options)) {
            try (ContenderThreads contenderThreads = new ContenderThreads(contender, threadOptions)) {
                answers.println("ready " + String.join(",", contender.types()) + " " + contender.settings());
                for (String line = orders.readLine(); line != null; line = orders.readLine())
                    execute(line.split(" ", -1), contender, contenderThreads, answers);
            }
        }
    }

    private static void execute(
            String[] order, Contender contender, ContenderThreads contenderThreads, PrintStream answers) {
        switch (order[0]) {
            case "warm-up" -> {
                contenderThreads.warmUp();
                answers.println("warm ");
            }
            case "round" -> {
                long nanos = Long.parseLong(order[1]) * 1_000_000;
                RoundResult result =
                        contenderThreads.round(nanos, progress -> answers.println("progress " + progress.text()));
                answers.println("result " + result.line());
            }
            case "check" -> {
                List<String> wrong = contender.check();
                for (String sentence : wrong)
                    answers.println("wrong " + sentence.lines().findFirst().orElse(""));
                answers.println("checked ");
            }
            default -> throw new IllegalArgumentException("no such order: " + String.join(" ", order));
        }
    }
}
