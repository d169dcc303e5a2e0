package tidepool.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.bench.race.FakeContender.FakeHand;

class RoundResultTest {
    /** Contenders are processes: what one of them has counted has to arrive as it was. */
    @Test
    void aResultTravelsAsALine() {
        TypeTally reads = new TypeTally();
        TypeTally writes = new TypeTally();
        TypeTally unserved = new TypeTally();
        reads.add(End.COMMITTED, new FakeHand(), 1_234);
        reads.add(End.MISSED, new FakeHand(), 5_678);
        writes.add(End.ABANDONED, new FakeHand(), Long.MAX_VALUE);
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
        assertEquals(1, received.count(End.COMMITTED));
        assertEquals(1, received.types().getFirst().count(End.MISSED));
        assertEquals(1, received.types().getLast().count(End.ABANDONED));
        assertEquals(TypeTally.MOST_NANOS, received.types().getLast().latency().getMaxValue(), 1e8);
        assertEquals(1, received.unserved().latency().getTotalCount());
        assertEquals(200_000, received.commitsPerSecond());
        assertEquals(7, received.allAborts());
        assertEquals(List.of(new TimePoint(0, 0), new TimePoint(100, 42)), received.series());
    }
}
