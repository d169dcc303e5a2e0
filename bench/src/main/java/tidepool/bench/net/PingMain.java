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
    /** What is missing of the time that was asked for when it is near enough: one in so many. */
    private static final int NEAR_ENOUGH = 20;

    private static final int LEAST_TRIPS = 50;
    private static final int MOST_TRIPS = 1_000_000;

    private final Supplier<Ping> connect;
    private Ping ping;
    private double nanosPerTrip = Double.MAX_VALUE;

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

    /**
     * If possible in one piece, by how long a trip took last: the end of a piece and the beginning of the next are not what
     * is measured, and strands take longer for them than a socket does.
     */
    private String exchange(long millis, int messages) {
        Clock clock = Clock.system();
        Ping other = ping();
        long asked = millis * 1_000_000;
        long trips = 0;
        long taken = 0;
        while (taken < asked - asked / NEAR_ENOUGH) {
            int piece = (int) Math.clamp((asked - taken) / nanosPerTrip, LEAST_TRIPS, MOST_TRIPS);
            long start = clock.nowNanos();
            other.exchange(piece, messages);
            long nanos = clock.nowNanos() - start;
            nanosPerTrip = (double) nanos / piece;
            trips += piece;
            taken += nanos;
        }
        return trips + " " + taken;
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
