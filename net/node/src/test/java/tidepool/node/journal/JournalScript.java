package tidepool.node.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.memory.NodeLayout;

/**
 * A script of several lives of a node in one thread. It writes words, flushed or not, creates and deletes regions, ends
 * segments, and makes checkpoints while it writes more. It knows the state of memory after every block, and the last
 * block that was forced.
 */
final class JournalScript implements AutoCloseable {
    static final Id128 NODE = new Id128(7, 11);
    static final long REGION_BYTES = 8192;

    /** The way in which segments are made and blocks are forced. */
    enum Kind {
        /** A file grows, and is forced after blocks were written. */
        GROWING(null),
        /** Files have their full length from the beginning, and each block is forced as it is written. */
        SPARE(Runnable::run);

        final JournalOptions options;

        Kind(Executor spares) {
            options = new JournalOptions(Durability.STRICT, 900, Long.MAX_VALUE, SystemDisk::new, spares);
        }
    }

    private final Arena arena = Arena.ofShared();
    private final SimulatedDisk disk;
    private final Kind kind;
    private final Random random;
    private final Map<Integer, MemorySegment> regions = new TreeMap<>();
    private final MemorySegment meta = arena.allocate(NodeLayout.BYTES, Words.BYTES);
    private final Map<Long, Map<Integer, byte[]>> states = new HashMap<>();
    private EntryBuffer block = new EntryBuffer();
    private JournalStart start;
    private int nextRegion;
    long forced;
    long losses;

    JournalScript(SimulatedDisk disk, Kind kind, long seed) {
        this.disk = disk;
        this.kind = kind;
        this.random = new Random(seed);
    }

    /** Runs the whole script, unless the power is lost. */
    void run() throws IOException {
        begin();
        block.pool(0, "p", new Id128(1, 2), 0, 1);
        create();
        create();
        flush();
        for (int i = 0; i < 20; i++) something();
        checkpoint();
        for (int i = 0; i < 12; i++) something();
        begin(); // after a kill, which loses no write
        for (int i = 0; i < 8; i++) something();
        checkpoint();
        end();
        begin();
        something();
        flush();
    }

    // ---- a life

    private void begin() throws IOException {
        if (start != null) {
            start.writer().close();
            long last = start.writer().sequence();
            states.put(last + 1, states.get(last)); // the block that names the life changes no memory
        }
        block.clear(0);
        boolean isFirst = start == null;
        try (NodeImage image = new NodeImage(1L << 30)) {
            start = new JournalStart(disk, kind.options, image, () -> NODE);
            if (!isFirst) back(image);
        }
        forced = start.writer().durable();
        remember();
    }

    /** Sets memory to the recovered state. */
    private void back(NodeImage image) {
        regions.clear();
        image.pools().get(0).regions().forEach((number, memory) -> {
            MemorySegment copy = arena.allocate(REGION_BYTES, Words.BYTES);
            copy.copyFrom(memory);
            regions.put(number, copy);
        });
        losses = start.powerLosses();
    }

    private void end() throws IOException {
        block.close();
        append();
        force();
    }

    private void something() throws IOException {
        switch (random.nextInt(8)) {
            case 0 -> create();
            case 1 -> delete();
            case 2 -> zero();
            default -> write();
        }
        switch (random.nextInt(4)) {
            case 0 -> append();
            case 1 -> {
                // The change stays in the buffer.
            }
            default -> flush();
        }
    }

    private void write() {
        int region = anyRegion();
        for (int i = random.nextInt(6); i >= 0; i--) {
            long at = random.nextInt((int) REGION_BYTES / 8) * 8L;
            long value = random.nextLong();
            Words.plain(regions.get(region), at, value);
            block.word(0, region, at, value);
        }
    }

    private void zero() {
        int region = anyRegion();
        long at = random.nextInt(64) * 64L;
        regions.get(region).asSlice(at, 128).fill((byte) 0);
        block.zero(0, region, at, 128);
    }

    private void create() {
        MemorySegment fresh = arena.allocate(REGION_BYTES, Words.BYTES);
        regions.put(nextRegion, fresh);
        block.create(0, nextRegion++, REGION_BYTES);
    }

    private void delete() {
        if (regions.size() < 2) return;
        int region = anyRegion();
        regions.remove(region);
        block.delete(0, region);
    }

    private int anyRegion() {
        return regions.keySet().stream()
                .skip(random.nextInt(regions.size()))
                .findFirst()
                .orElseThrow();
    }

    // ---- the journal

    private void append() throws IOException {
        if (block.isEmpty()) return;
        // The state belongs to the block even if the power is lost while the block is written.
        states.put(start.writer().sequence() + 1, state());
        start.writer().append(block);
        block.clear(1 << 20);
        remember();
    }

    private void flush() throws IOException {
        if (kind == Kind.SPARE && !block.isEmpty()) {
            states.put(start.writer().sequence() + 1, state());
            start.writer().appendForced(block);
            block.clear(1 << 20);
            forced = start.writer().durable();
            remember();
        } else {
            append();
            force();
        }
        if (random.nextBoolean()) start.writer().proveEnd();
    }

    private void force() throws IOException {
        start.writer().force();
        forced = start.writer().durable();
    }

    /** Makes a checkpoint, and writes more while memory is copied. */
    private void checkpoint() throws IOException {
        append();
        long before = start.writer().sequence();
        Map<Integer, MemorySegment> then = new TreeMap<>(regions);
        try (CheckpointWriter writer = new CheckpointWriter(disk, NODE, start.life(), before + 1)) {
            for (Life life : start.lives()) writer.life(life);
            writer.pool(0, "p", new Id128(1, 2), 0, 1);
            then.forEach((number, memory) -> writer.create(0, number, REGION_BYTES));
            writer.memory(0, JournalEntry.META, meta);
            for (Map.Entry<Integer, MemorySegment> region : then.entrySet()) {
                something();
                writer.memory(0, region.getKey(), region.getValue());
            }
            append();
            force();
            writer.finish(start.writer().sequence());
        }
    }

    private void remember() {
        states.put(start.writer().sequence(), state());
    }

    private Map<Integer, byte[]> state() {
        return state(regions);
    }

    private static Map<Integer, byte[]> state(Map<Integer, MemorySegment> of) {
        Map<Integer, byte[]> state = new TreeMap<>();
        of.forEach((number, memory) -> state.put(number, memory.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)));
        return state;
    }

    // ---- assertions

    /**
     * Asserts that recovery yields the state after some block, and that this block is not before the last forced one.
     */
    void assertKept(SimulatedDisk after, String where) throws IOException {
        try (NodeImage image = new NodeImage(1L << 30)) {
            JournalRecovery found = JournalRecovery.read(after, image);
            if (found == null) {
                assertEquals(0, forced, where + ": nothing is there");
                return;
            }
            assertTrue(!found.isShort(), where + ": a crash is taken for damage: " + found.shortage());
            assertTrue(
                    found.sequence() >= forced,
                    where + ": recovered up to " + found.sequence() + " and forced up to " + forced);
            Map<Integer, byte[]> expected = states.getOrDefault(found.sequence(), Map.of());
            Map<Integer, byte[]> got = image.pools().isEmpty()
                    ? Map.of()
                    : state(image.pools().get(0).regions());
            assertEquals(expected.keySet(), got.keySet(), where + ": block " + found.sequence());
            expected.forEach((number, bytes) -> org.junit.jupiter.api.Assertions.assertArrayEquals(
                    bytes, got.get(number), where + ": region " + number + " behind block " + found.sequence()));
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
