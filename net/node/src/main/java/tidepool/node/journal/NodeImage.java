package tidepool.node.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.memory.NodeLayout;

/**
 * A copy of a node's memory, made from its journal, for programs that inspect it and do not serve it. One thread uses
 * it. Its memory is freed when it is closed.
 */
public final class NodeImage implements EntryVisitor, AutoCloseable {
    /** One pool of the node. */
    public static final class Pool {
        private final String name;
        private final Id128 id;
        private int number;
        private int nodes;
        private final MemorySegment meta;
        private final Map<Integer, MemorySegment> regions = new TreeMap<>();

        private Pool(String name, Id128 id, int number, int nodes, MemorySegment meta) {
            this.name = name;
            this.id = id;
            this.number = number;
            this.nodes = nodes;
            this.meta = meta;
        }

        public String name() {
            return name;
        }

        public Id128 id() {
            return id;
        }

        /** Returns the number of this node in the pool. */
        public int number() {
            return number;
        }

        /** Returns the number of nodes of the pool. */
        public int nodes() {
            return nodes;
        }

        /** Returns the node's own memory. */
        public MemorySegment meta() {
            return meta;
        }

        /** Returns the whole regions by number. */
        public Map<Integer, MemorySegment> regions() {
            return regions;
        }
    }

    private final Arena arena = Arena.ofConfined();
    private final Map<Integer, Pool> pools = new TreeMap<>();
    private final long maxBytes;
    private final RegionFiles files;
    private final RegionHeads heads = new RegionHeads();
    private long bytes;

    /** @param maxBytes a journal that needs more memory is rejected as damaged */
    public NodeImage(long maxBytes) {
        this(maxBytes, null);
    }

    /** @param files the files with the data of the regions; null if the journal has the data */
    public NodeImage(long maxBytes, RegionFiles files) {
        this.maxBytes = maxBytes;
        this.files = files;
    }

    /** Returns the pools by their numbers in the journal. */
    public Map<Integer, Pool> pools() {
        return pools;
    }

    @Override
    public boolean pool(int pool, String name, Id128 id, int number, int nodes) {
        Pool known = pools.get(pool);
        if (known != null) {
            known.number = number;
            known.nodes = nodes;
            return known.name.equals(name) && known.id.equals(id);
        }
        MemorySegment meta = take(NodeLayout.BYTES);
        if (meta == null) return false;
        pools.put(pool, new Pool(name, id, number, nodes, meta));
        return true;
    }

    @Override
    public boolean create(int pool, int region, long size) {
        Pool of = pools.get(pool);
        if (of == null || region >= NodeLayout.REGIONS || size <= 0 || size % Words.BYTES != 0) return false;
        if (files != null && !isThere(pool, region)) {
            of.regions.remove(region);
            return true;
        }
        MemorySegment known = of.regions.get(region);
        MemorySegment memory = known != null && known.byteSize() == size ? known : take(size);
        if (memory == null) return false;
        of.regions.put(region, memory);
        memory.fill((byte) 0);
        if (files != null) read(pool, region, memory);
        return true;
    }

    private boolean isThere(int pool, int region) {
        try {
            boolean there = files.has(pool, region);
            if (there) heads.created(pool, region);
            else heads.missed(pool, region);
            return there;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(int pool, int region, MemorySegment to) {
        try {
            files.read(pool, region, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean delete(int pool, int region) {
        Pool of = pools.get(pool);
        if (of != null) of.regions.remove(region);
        return of != null;
    }

    @Override
    public boolean bytes(int pool, int region, long offset, MemorySegment from, long at, long length) {
        if (region != JournalEntry.META && heads.isAbsent(pool, region)) return true;
        MemorySegment to = memory(pool, region, offset, length);
        if (to != null && files != null && region != JournalEntry.META)
            return heads.bytes(pool, region, to, offset, from, at, length);
        if (to != null) MemorySegment.copy(from, at, to, offset, length);
        return to != null;
    }

    @Override
    public boolean zero(int pool, int region, long offset, long length) {
        if (files != null && region != JournalEntry.META) return false;
        MemorySegment to = memory(pool, region, offset, length);
        if (to != null) to.asSlice(offset, length).fill((byte) 0);
        return to != null;
    }

    private MemorySegment memory(int pool, int region, long offset, long length) {
        Pool of = pools.get(pool);
        if (of == null) return null;
        MemorySegment memory = region == JournalEntry.META ? of.meta : of.regions.get(region);
        boolean fits = memory != null
                && offset >= 0
                && length >= 0
                && length <= memory.byteSize()
                && offset <= memory.byteSize() - length;
        return fits ? memory : null;
    }

    private MemorySegment take(long size) {
        if (size > maxBytes - bytes) return null;
        bytes += size;
        return arena.allocate(size, Words.BYTES);
    }

    @Override
    public void close() {
        arena.close();
    }
}
