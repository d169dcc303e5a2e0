package tidepool.fabric.direct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.memory.Handlers;

/** A handler that throws fails its CALL. The round then reports the effects of its verbs, and the lane stays usable. */
class FailingHandlerTest {
    @Test
    void failingHandlerFailsItsCall() {
        Handlers handlers = new Handlers().with(9, (node, session, request, reply, listener) -> {
            throw new IllegalStateException("out of order");
        });
        try (MemFabric fabric = new MemFabric(1, handlers)) {
            Id128 capability = fabric.control(0).createRegion(4096);
            Lane lane = fabric.attach().lane();
            Link link = lane.connect(0);
            Region region = link.open(capability);
            MemorySegment here = lane.landing(64);
            Round round = lane.round(4);
            round.write(region, 0, 1)
                    .call(link, 9, here, 0, 8, here, 8, 8)
                    .write(region, 8, 2)
                    .post();
            FabricException thrown = assertThrows(FabricException.class, round::await);

            assertTrue(thrown.getMessage().contains("out of order"), thrown.getMessage());
            assertSame(Effect.DONE, round.verb(0).effect());
            assertSame(Effect.UNKNOWN, round.verb(1).effect());
            assertSame(Effect.NOT_DONE, round.verb(2).effect());
            link.reconnect();
            Region again = link.open(capability);
            round.write(again, 16, 3).read(again, 0, 24, here, 0).post().await();
            assertEquals(1, Words.plain(here, 0));
            assertEquals(0, Words.plain(here, 8));
            assertEquals(3, Words.plain(here, 16));
        }
    }
}
