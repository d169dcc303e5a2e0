package tidepool.clusters;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;
import tidepool.store.farmv2.ChainLayout;

/** Checks a chain of versions without a writer: each link leads to the version that it names, in its block. */
final class ChainCheck {
    private ChainCheck() {}

    static void check(TableLayout table, long pointer, MemorySegment memory, String where) {
        if (!table.format().kind().equals(ChainLayout.KIND)) return;
        long body = Pointer.offset(pointer) + ObjectLayout.BODY;
        long content = body + ObjectLayout.BODY_CONTENT;
        if (Words.plain(memory, body + ObjectLayout.BODY_WRITER) == 0) return;
        if (ObjectLayout.isPresent(memory, body) == ChainLayout.isTombstone(memory, content))
            throw new ClusterFailure(where + " is there or not, and its newest version says otherwise");
        long key = Words.plain(memory, body + ObjectLayout.BODY_KEY);
        long side = Pointer.offset(table.side(pointer));
        long newer = ChainLayout.stamp(memory, content);
        int next = ChainLayout.block(memory, content);
        long stamp = ChainLayout.previous(memory, content);
        // One more link would lead to the block that the newest version of all has taken.
        for (int i = 1; i < table.format().versions() && next >= 0; i++) {
            if (stamp >= newer) throw new ClusterFailure(where + ": version " + stamp + " lies behind " + newer);
            long block = side + ChainLayout.blockOffset(next, table.valueBytes());
            if (!ChainLayout.isWhole(memory, block, table.valueBytes(), key, stamp))
                throw new ClusterFailure(where + " has no whole version " + stamp + " behind " + newer);
            newer = stamp;
            next = ChainLayout.olderBlock(memory, block);
            stamp = ChainLayout.previousOf(memory, block);
        }
    }
}
