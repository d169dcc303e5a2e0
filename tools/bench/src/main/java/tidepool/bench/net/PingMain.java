package tidepool.bench.net;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import tidepool.base.Clock;
import tidepool.bench.AllocationCounter;

/**
 * The asking end in its own JVM. Arguments: the transport, and the port of the other end; or {@code fabric} and the URL
 * of a pool. Carries out lines on its standard input until the input ends:
 *
 * <pre>
 *   (start)                      ready
 *   exchange MILLIS MESSAGES     done TRIPS NANOS     trips of MESSAGES messages for about MILLIS
 *   allocation TRIPS MESSAGES    done BYTES           allocated on the heap by TRIPS trips, without the start
 *   rest                         done                 closes the connection, so that the other end may sleep
 * </pre>
 */
public final class PingMain {
    /** An exchange ends when less than one part in this number of the requested time is missing. */
    private static final int NEAR_ENOUGH = 20;

    private static final int MIN_TRIPS = 50;
    private static final int MAX_TRIPS = 1_000_000;

    private final Supplier<Ping> connect;
    private Ping ping;
    private double nanosPerTrip = Double.MAX_VALUE;

    PingMain(Supplier<Ping> connect) {
        this.connect = connect;
    }

    public static void main(String[] arguments) throws IOException {
        // Libraries print to standard output; our answers use a stream of their own.
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
     * Exchanges messages for the requested time, if possible in one piece that is sized by the last trip time. The end
     * of a piece and the beginning of the next are not measured, and strands take longer for them than a socket does.
     */
    private String exchange(long millis, int messages) {
        Clock clock = Clock.system();
        Ping other = ping();
        long asked = millis * 1_000_000;
        long trips = 0;
        long taken = 0;
        while (taken < asked - asked / NEAR_ENOUGH) {
            int piece = (int) Math.clamp((asked - taken) / nanosPerTrip, MIN_TRIPS, MAX_TRIPS);
            long start = clock.nowNanos();
            other.exchange(piece, messages);
            long nanos = clock.nowNanos() - start;
            nanosPerTrip = (double) nanos / piece;
            trips += piece;
            taken += nanos;
        }
        return trips + " " + taken;
    }

    /**
     * Returns the bytes of twice the trips minus those of once the trips, because one-time allocations of an exchange
     * do not belong to a trip.
     */
    private long allocated(int trips, int messages) {
        Ping other = ping();
        other.exchange(trips, messages);
        long before = AllocationCounter.of(other.worker());
        other.exchange(trips, messages);
        long between = AllocationCounter.of(other.worker());
        other.exchange(2 * trips, messages);
        long after = AllocationCounter.of(other.worker());
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
