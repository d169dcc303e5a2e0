package tidepool.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.bench.race.FakeContender.FakeDriver;

class RoundResultTest {
    /** Contenders are processes: the counts of one have to arrive unchanged. */
    @Test
    void aResultTravelsAsALine() {
        TypeTally reads = new TypeTally();
        TypeTally writes = new TypeTally();
        TypeTally unserved = new TypeTally();
        reads.add(TxnEnd.COMMITTED, new FakeDriver(), 1_234);
        reads.add(TxnEnd.MISSED, new FakeDriver(), 5_678);
        writes.add(TxnEnd.ABANDONED, new FakeDriver(), Long.MAX_VALUE);
        unserved.addWaiting(99_000);
        RoundResult sent = new RoundResult(
                5_000,
                List.of(reads, writes),
                unserved,
                Map.of("locked", 7L),
                Map.of("recoveries", 1L),
                320,
                List.of(new TimePoint(0, 0), new TimePoint(100, 42)),
                0);

        RoundResult received = RoundResult.parse(sent.line());

        assertEquals(sent.line(), received.line());
        assertEquals(1, received.count(TxnEnd.COMMITTED));
        assertEquals(1, received.types().getFirst().count(TxnEnd.MISSED));
        assertEquals(1, received.types().getLast().count(TxnEnd.ABANDONED));
        assertEquals(TypeTally.MAX_NANOS, received.types().getLast().latency().getMaxValue(), 1e8);
        assertEquals(1, received.unserved().latency().getTotalCount());
        assertEquals(200_000, received.commitsPerSecond());
        assertEquals(7, received.allAborts());
        assertEquals(List.of(new TimePoint(0, 0), new TimePoint(100, 42)), received.series());
    }
}
