package tidepool.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;

/** Malformed requests get a refusal and have no effect. */
class VersionHandlerTest {
    private final MemorySegment request = Arena.ofAuto().allocate(256, 8);
    private final MemorySegment reply = Arena.ofAuto().allocate(64, 8);

    @Test
    void tooShortIsRefused() {
        assertEquals(VersionHandler.ANSWERS, handle(request.asSlice(0, 64), reply));
        assertEquals(VersionHandler.REFUSED, reply.get(Words.U64, VersionHandler.STATUS));
        assertEquals(0, handle(request, reply.asSlice(0, 8)));
    }

    private static int handle(MemorySegment request, MemorySegment reply) {
        return VersionHandler.handle(null, 1, request, reply, WriteListener.UNTOLD);
    }
}
