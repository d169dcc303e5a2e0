package tidepool.bench.smallbank;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A contender in a JVM of its own. Obeys lines on its standard input, one answer a line, until the input ends:
 *
 * <pre>
 *   (start)                  ready SETTINGS
 *   round NUMBER MILLIS      result …          see {@link RoundResult}
 *   totals                   totals CENTS CHANGES
 *   anything goes wrong      failed WHY
 * </pre>
 */
public final class ContenderMain {
    private ContenderMain() {}

    /** Arguments: kind (protocol or peer), name, folder, customers, threads, seed. */
    public static void main(String[] arguments) throws IOException {
        // Libraries may print what they like; our answers go where they cannot.
        PrintStream answers = System.out;
        System.setOut(System.err);
        Logger.getLogger("").setLevel(Level.WARNING);
        try {
            obey(arguments, answers);
        } catch (RuntimeException | LinkageError e) {
            e.printStackTrace();
            answers.println("failed "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString()));
        }
        answers.flush();
        // Other people's threads may not want to end.
        Runtime.getRuntime().halt(0);
    }

    private static void obey(String[] arguments, PrintStream answers) throws IOException {
        String name = arguments[1];
        Contender contender = arguments[0].equals("protocol") ? Contender.ofProtocol(name) : Contender.ofPeer(name);
        int customers = Integer.parseInt(arguments[3]);
        int threads = Integer.parseInt(arguments[4]);
        long seed = Long.parseLong(arguments[5]);
        BankOptions options = new BankOptions(name, Path.of(arguments[2]), customers, threads);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Bank bank = contender.open(options);
                Race race = new Race(bank, threads, customers, seed)) {
            answers.println("ready " + bank.settings());
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                String[] words = line.split(" ", -1);
                switch (words[0]) {
                    case "round" -> {
                        long nanos = Long.parseLong(words[2]) * 1_000_000;
                        answers.println("result "
                                + race.round(Integer.parseInt(words[1]), nanos).line());
                    }
                    case "totals" -> {
                        Totals totals = bank.totals();
                        answers.println("totals " + totals.cents() + " " + totals.changes());
                    }
                    default -> throw new IllegalArgumentException("no such order: " + line);
                }
            }
        }
    }
}
