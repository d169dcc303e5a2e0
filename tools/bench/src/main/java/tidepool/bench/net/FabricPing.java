package tidepool.bench.net;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tidepool.base.Carrier;
import tidepool.base.Id128;
import tidepool.base.Strand;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;

/**
 * A ping by rounds of one READ of 8 bytes instead of raw messages. One at a time comes from a plain thread. Several at
 * a time come from as many strands, which share a carrier on its own thread and stay for all exchanges, as coordinators
 * would.
 */
final class FabricPing implements Ping {
    private static final long REGION_BYTES = 1 << 16;

    private final Fabric fabric;
    private final Session session;
    private final Id128 capability;
    private final Reader alone;
    private Team team;
    private Thread worker = Thread.currentThread();

    FabricPing(String url) {
        fabric = Fabric.open(url);
        session = fabric.attach();
        capability = fabric.control(0).createRegion(REGION_BYTES);
        alone = new Reader(session, capability, 0);
        alone.fill();
    }

    @Override
    public long exchange(int trips, int messages) {
        if (messages == 1) {
            worker = Thread.currentThread();
            return alone.run(trips);
        }
        if (team == null) team = new Team(messages);
        if (team.strands.size() != messages) throw new IllegalArgumentException("the number of strands stays");
        worker = team.thread;
        return team.run(trips);
    }

    @Override
    public Thread worker() {
        return worker;
    }

    @Override
    public void close() {
        if (team != null) team.run(0);
        session.close();
        fabric.close();
    }

    /** One coordinator, with its own place in the region, so that it knows the value that it has to find. */
    private static final class Reader {
        private final Region region;
        private final Round round;
        private final MemorySegment landing;
        private final int number;

        Reader(Session session, Id128 capability, int number) {
            Lane lane = session.lane();
            this.region = lane.connect(0).open(capability);
            this.round = lane.round(1);
            this.landing = lane.landing(Words.BYTES);
            this.number = number;
        }

        private long at() {
            return (long) number * Words.BYTES;
        }

        void fill() {
            round.write(region, at(), number + 1L).post().await();
        }

        long run(int rounds) {
            long found = number + 1L;
            for (int i = 0; i < rounds && found == number + 1; i++) {
                round.read(region, at(), Words.BYTES, landing, 0).post().await();
                found = Words.plain(landing, 0);
            }
            if (found != number + 1) throw new IllegalStateException("found " + found + " in the place of " + number);
            return found;
        }
    }

    /** The strands of a carrier. They sleep between exchanges; an exchange of no trips ends them. */
    private final class Team {
        private final List<Strand> strands = new ArrayList<>();
        private final Thread thread;
        private volatile Task task;

        /** A command for all strands; the last one completes the future. */
        private static final class Task {
            final int trips;
            final CompletableFuture<Long> done = new CompletableFuture<>();
            int ended;

            Task(int trips) {
                this.trips = trips;
            }
        }

        Team(int count) {
            Carrier carrier = new Carrier();
            for (int i = 0; i < count; i++) {
                int number = i;
                strands.add(carrier.start("reader-" + i, () -> read(number)));
            }
            thread = Thread.ofPlatform().daemon().name("readers").start(carrier::run);
        }

        private void read(int number) {
            try {
                Reader reader = new Reader(session, capability, number);
                reader.fill();
                Task last = null;
                do {
                    while (task == last) Strand.park();
                    last = task;
                    reader.run(last.trips);
                    if (++last.ended == strands.size()) last.done.complete((long) strands.size());
                } while (last.trips > 0);
            } catch (RuntimeException | Error e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(1); // the waiting process sees the end of the stream
            }
        }

        long run(int trips) {
            Task next = new Task(trips);
            task = next;
            for (Strand strand : strands) strand.unpark();
            return next.done.join();
        }
    }
}
