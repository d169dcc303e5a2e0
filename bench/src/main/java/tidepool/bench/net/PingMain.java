package tidepool.bench.net;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import tidepool.base.Clock;
import tidepool.bench.Allocation;

/**
 * The asking end in a JVM of its own. Arguments: the transport, and the port of the other end; or {@code fabric} and the URL
 * of a pool. Obeys lines on its standard input until the input ends:
 *
 * <pre>
 *   (start)                      ready
 *   exchange MILLIS MESSAGES     done TRIPS NANOS     trips of so many messages for about so long
 *   allocation TRIPS MESSAGES    done BYTES           allocated on the heap by so many trips, beyond what starting costs
 *   rest                         done                 closes the connection, so that the other end may sleep
 * </pre>
 */
public final class PingMain {
    private static final long CHUNK_NANOS = 20_000_000;
    private static final int LEAST_TRIPS = 50;
    private static final int MOST_TRIPS = 1_000_000;

    private final Supplier<Ping> connect;
    private Ping ping;
    private int chunk = LEAST_TRIPS;

    PingMain(Supplier<Ping> connect) {
        this.connect = connect;
    }

    public static void main(String[] arguments) throws IOException {
        // Libraries may print what they like; our answers go where they cannot.
        PrintStream answers = System.out;
        System.setOut(System.err);
        try {
            String where = arguments[1];
            Supplier<Ping> connect = arguments[0].equals("fabric")
                    ? () -> new FabricPing(where)
                    : () -> RawTransports.named(arguments[0]).connect(Integer.parseInt(where));
            new PingMain(connect).obey(answers);
        } catch (RuntimeException | Error e) {
            e.printStackTrace();
            answers.println("failed " + e.getMessage());
        }
        Runtime.getRuntime().halt(0);
    }

    void obey(PrintStream answers) throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        answers.println("ready ");
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "exchange" ->
                    answers.println("done " + exchange(Long.parseLong(words[1]), Integer.parseInt(words[2])));
                case "allocation" ->
                    answers.println("done " + allocated(Integer.parseInt(words[1]), Integer.parseInt(words[2])));
                case "rest" -> {
                    rest();
                    answers.println("done ");
                }
                default -> throw new IllegalArgumentException("no such order: " + line);
            }
        }
        rest();
    }

    /** In pieces of some milliseconds, because looking at the clock and starting strands should cost nothing. */
    private String exchange(long millis, int messages) {
        Clock clock = Clock.system();
        Ping other = ping();
        long trips = 0;
        long start = clock.nowNanos();
        long now = start;
        while (now - start < millis * 1_000_000) {
            other.exchange(chunk, messages);
            trips += chunk;
            long after = clock.nowNanos();
            double perTrip = (double) (after - now) / chunk;
            chunk = (int) Math.clamp(CHUNK_NANOS / perTrip, LEAST_TRIPS, MOST_TRIPS);
            now = after;
        }
        return trips + " " + (now - start);
    }

    /** Twice as many trips less once as many: what an exchange allocates once is not a trip's. */
    private long allocated(int trips, int messages) {
        Ping other = ping();
        other.exchange(trips, messages);
        long before = Allocation.of(other.worker());
        other.exchange(trips, messages);
        long between = Allocation.of(other.worker());
        other.exchange(2 * trips, messages);
        long after = Allocation.of(other.worker());
        return after - between - (between - before);
    }

    private Ping ping() {
        if (ping == null) ping = connect.get();
        return ping;
    }

    private void rest() {
        if (ping != null) ping.close();
        ping = null;
    }
}
