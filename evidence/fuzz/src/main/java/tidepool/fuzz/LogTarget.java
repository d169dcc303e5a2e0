package tidepool.fuzz;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.protocol.record.ImageLog;
import tidepool.store.LogLayout;

/**
 * A log slot is whole or not, and a whole one names only as many objects as fit into it, whatever its words are. The
 * input is whether the checksum is made to fit, then the slot.
 */
final class LogTarget implements FuzzTarget {
    private static final int SLOT = 4096;

    private final MemorySegment slot = Arena.ofAuto().allocate(SLOT, 4096);

    @Override
    public void feed(byte[] input) {
        Bytes from = new Bytes(input);
        int flags = from.u8();
        slot.fill((byte) 0);
        for (int at = 0; from.hasMore() && at < SLOT; at += Words.BYTES) Words.plain(slot, at, from.u64());
        if ((flags & 1) != 0) Words.plain(slot, 0, LogLayout.MAGIC << 32 | Words.plain(slot, 0) & 0xffff);
        long bytes = ImageLog.bytes(slot, 0, SLOT);
        Finding.unless(bytes >= 0 && bytes <= SLOT, "a log longer than its slot: bytes=" + bytes);
        if ((flags & 2) != 0 && bytes > 0) seal(bytes);
        MemorySegment before = Arena.ofAuto().allocate(SLOT);
        MemorySegment.copy(slot, 0, before, 0, SLOT);

        boolean whole = ImageLog.isWhole(slot, 0, SLOT);

        Finding.unless(slot.mismatch(before) < 0, "looking has changed it");
        if (!whole) return;
        int objects = ImageLog.objects(slot);
        Finding.unless(objects > 0, "a whole log of no objects");
        Finding.unless(
                LogLayout.ENTRIES + objects * LogLayout.ENTRY_BYTES <= bytes, "objects outside the log: " + objects);
        for (int i = 0; i < objects; i++) {
            ImageLog.pointer(slot, i);
            ImageLog.bodyBytes(slot, i);
        }
        Finding.unless(ImageLog.isSameWriteSet(slot, before), "a log that is not like itself");
    }

    private void seal(long bytes) {
        Words.plain(slot, LogLayout.CHECKSUM, 0);
        Words.plain(slot, LogLayout.CHECKSUM, Checksum64.of(slot, 0, bytes, Words.plain(slot, LogLayout.TXN)));
    }
}
