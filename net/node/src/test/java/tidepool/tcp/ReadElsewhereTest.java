package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import tidepool.base.Carrier;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;

/** The heartbeat thread reads the endpoints of carriers, too. The strand of an answer is woken by each reader of it. */
class ReadElsewhereTest {
    private static final int STRANDS = 8;
    private static final int ROUNDS = 5_000;

    @Test
    void strandsWakeTheThreadThatReadsTheirAnswers() throws InterruptedException {
        try (TcpNodes node = new TcpNodes(1, false, false);
                Fabric fabric = Fabric.open(node.url());
                TcpSession session = (TcpSession) fabric.attach()) {
            Id128 words = fabric.control(0).createRegion(STRANDS * Words.BYTES);
            long[] found = new long[STRANDS];
            Carrier carrier = new Carrier();
            for (int i = 0; i < STRANDS; i++) {
                int number = i;
                carrier.start("strand-" + i, () -> found[number] = addOne(session, words, number));
            }
            AtomicBoolean over = new AtomicBoolean();
            Thread reader = Thread.ofPlatform().start(() -> {
                while (!over.get()) for (Endpoint endpoint : session.endpoints()) endpoint.poll();
            });
            carrier.run();
            over.set(true);
            reader.join();

            for (long last : found) assertEquals(ROUNDS - 1, last);
        }
    }

    /** Adds 1 again and again, each time in a round of its own; what the last one found. */
    private static long addOne(TcpSession session, Id128 words, int number) {
        Lane lane = session.lane();
        Region region = lane.connect(0).open(words);
        MemorySegment landing = lane.landing(Words.BYTES);
        Round round = lane.round(1);
        for (int i = 0; i < ROUNDS; i++)
            round.fetchAndAdd(region, (long) number * Words.BYTES, 1, landing, 0)
                    .post()
                    .await();
        return Words.plain(landing, 0);
    }
}
