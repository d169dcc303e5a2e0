package tidepool.node.journal;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A simulated disk that can lose its power. Of the writes that were not forced it then loses all, none, the last ones,
 * or any subset of their sectors; and it loses such a part of the changes of names that were not forced. Any thread may
 * use it.
 */
public final class SimulatedDisk implements JournalDisk {
    static final int SECTOR = 512;

    /** Thrown when the power is lost at an operation. */
    public static final class PowerLost extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private PowerLost() {}
    }

    /** The part of the unforced changes that is lost. */
    public enum Loss {
        EVERYTHING,
        NOTHING,
        THE_LAST,
        ANYTHING
    }

    /** The content of a file, without its name. */
    private static final class Inode {
        final long stamp;
        byte[] now = {};
        byte[] forced = {};
        final List<Integer> dirty = new ArrayList<>(); // sectors in the order in which they were written

        Inode(long stamp) {
            this.stamp = stamp;
        }
    }

    private record NameChange(String name, Inode inode, String gone) {}

    private final Map<String, Inode> names = new TreeMap<>();
    private final Map<String, Inode> forcedNames = new TreeMap<>();
    private final List<NameChange> changes = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private long stamps;
    private long failAt = Long.MAX_VALUE;
    private boolean isHalfDone;
    private long room = Long.MAX_VALUE;
    private int maxAtOnce = Integer.MAX_VALUE;
    private boolean forceFails;

    /** Makes an empty disk that has power. */
    public SimulatedDisk() {}

    // ---- faults

    /** Sets the operation before which the power is lost; if {@code halfDone}, a write is interrupted in its middle. */
    public synchronized void failAt(long operation, boolean halfDone) {
        failAt = operation;
        isHalfDone = halfDone;
    }

    /** Sets the number of bytes that still fit on the disk. */
    void room(long bytes) {
        room = bytes;
    }

    void maxAtOnce(int bytes) {
        maxAtOnce = bytes;
    }

    void forceFails() {
        forceFails = true;
    }

    /** Returns the operations so far, one line each. */
    public synchronized List<String> log() {
        return log;
    }

    /** Returns the disk as it is after the power came back. This disk is not changed. */
    public synchronized SimulatedDisk afterLoss(Loss loss, Random random) {
        SimulatedDisk after = new SimulatedDisk();
        after.stamps = stamps;
        Map<Inode, Inode> copies = new java.util.IdentityHashMap<>();
        Map<String, Inode> kept = new TreeMap<>(forcedNames);
        int last = loss == Loss.THE_LAST ? random.nextInt(changes.size() + 1) : 0;
        for (int i = 0; i < changes.size(); i++) {
            NameChange change = changes.get(i);
            boolean keeps = loss == Loss.NOTHING
                    || loss == Loss.THE_LAST && i < last
                    || loss == Loss.ANYTHING && random.nextBoolean();
            if (!keeps) continue;
            if (change.gone != null) kept.remove(change.gone);
            if (change.inode != null) kept.put(change.name, change.inode);
        }
        kept.forEach((name, inode) -> {
            Inode copy = copies.computeIfAbsent(inode, known -> copy(known, loss, random));
            after.names.put(name, copy);
            after.forcedNames.put(name, copy);
        });
        return after;
    }

    private static Inode copy(Inode inode, Loss loss, Random random) {
        Inode copy = new Inode(inode.stamp);
        copy.now = inode.forced.clone();
        int last = random.nextInt(inode.dirty.size() + 1);
        for (int i = 0; i < inode.dirty.size(); i++) {
            boolean keeps = loss == Loss.NOTHING
                    || loss == Loss.THE_LAST && i < last
                    || loss == Loss.ANYTHING && random.nextBoolean();
            if (!keeps) continue;
            int from = inode.dirty.get(i) * SECTOR;
            int to = Math.min(from + SECTOR, inode.now.length);
            if (to > copy.now.length) copy.now = Arrays.copyOf(copy.now, to);
            if (from < to) System.arraycopy(inode.now, from, copy.now, from, to - from);
        }
        if (loss == Loss.NOTHING) copy.now = inode.now.clone();
        copy.forced = copy.now.clone();
        return copy;
    }

    /** Returns a copy of this disk, with all unforced changes. */
    SimulatedDisk copy() {
        return afterLoss(Loss.NOTHING, new Random(0));
    }

    byte[] content(String name) {
        return names.get(name).now;
    }

    void content(String name, byte[] bytes) {
        names.get(name).now = bytes;
        names.get(name).forced = bytes.clone();
    }

    TreeSet<String> names() {
        return new TreeSet<>(names.keySet());
    }

    /** Replaces a file as a copying administrator would: given bytes, in another file with another stamp. */
    void replace(String name, byte[] bytes) {
        Inode fresh = new Inode(++stamps);
        fresh.now = bytes;
        fresh.forced = bytes.clone();
        names.put(name, fresh);
        forcedNames.put(name, fresh);
    }

    void remove(String name) {
        names.remove(name);
        forcedNames.remove(name);
    }

    // ---- the disk

    private void operation(String what) {
        if (log.size() >= failAt) throw new PowerLost();
        log.add(what);
    }

    @Override
    public synchronized List<String> list() {
        return List.copyOf(names.keySet());
    }

    @Override
    public synchronized File create(String name) {
        operation("create " + name);
        Inode known = names.get(name);
        Inode inode = new Inode(known == null ? ++stamps : known.stamp);
        names.put(name, inode);
        changes.add(new NameChange(name, inode, null));
        return new Opened(inode, name);
    }

    @Override
    public synchronized File open(String name) throws IOException {
        Inode inode = names.get(name);
        if (inode == null) throw new FileNotFoundException(name);
        return new Opened(inode, name);
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        operation("rename " + from);
        Inode inode = names.remove(from);
        if (inode == null) throw new FileNotFoundException(from);
        names.put(to, inode);
        changes.add(new NameChange(to, inode, from));
    }

    @Override
    public synchronized void delete(String name) {
        operation("delete " + name);
        names.remove(name);
        changes.add(new NameChange(null, null, name));
    }

    @Override
    public synchronized void forceNames() throws IOException {
        operation("force names");
        if (forceFails) throw new IOException("Input/output error");
        forcedNames.clear();
        forcedNames.putAll(names);
        changes.clear();
    }

    @Override
    public long stamp(String name) {
        return names.get(name).stamp;
    }

    @Override
    public String path(String name) {
        return "sim/" + name;
    }

    private final class Opened implements File {
        private final Inode inode;
        private final String name;

        Opened(Inode inode, String name) {
            this.inode = inode;
            this.name = name;
        }

        @Override
        public int write(ByteBuffer from, long at) throws IOException {
            synchronized (SimulatedDisk.this) {
                int length = Math.min(from.remaining(), maxAtOnce);
                boolean half = isHalfDone && log.size() + 1 == failAt + 1 && length > 1;
                if (half) {
                    put(from, at, length / 2);
                    throw new PowerLost();
                }
                operation("write " + name);
                int fits = (int) Math.min(length, room);
                if (fits == 0) throw new DiskFullException("No space left on device", null);
                room -= fits;
                put(from, at, fits);
                return fits;
            }
        }

        /** Forces only these bytes. Bytes written before, even in one of these sectors, may still be lost. */
        @Override
        public int writeForced(ByteBuffer from, long at) throws IOException {
            synchronized (SimulatedDisk.this) {
                List<Integer> dirtyBefore = List.copyOf(inode.dirty);
                int written = write(from, at);
                if (forceFails) throw new IOException("Input/output error");
                int end = (int) at + written;
                if (inode.forced.length < end) inode.forced = Arrays.copyOf(inode.forced, end);
                System.arraycopy(inode.now, (int) at, inode.forced, (int) at, written);
                inode.dirty.clear();
                inode.dirty.addAll(dirtyBefore);
                return written;
            }
        }

        private void put(ByteBuffer from, long at, int length) {
            int end = (int) at + length;
            if (end > inode.now.length) inode.now = Arrays.copyOf(inode.now, end);
            from.get(inode.now, (int) at, length);
            for (int sector = (int) at / SECTOR; sector * SECTOR < end; sector++) {
                inode.dirty.remove((Integer) sector);
                inode.dirty.add(sector);
            }
        }

        @Override
        public int read(ByteBuffer to, long at) {
            synchronized (SimulatedDisk.this) {
                int length = Math.min(to.remaining(), inode.now.length - (int) at);
                if (length <= 0) return -1;
                to.put(inode.now, (int) at, length);
                return length;
            }
        }

        @Override
        public long size() {
            synchronized (SimulatedDisk.this) {
                return inode.now.length;
            }
        }

        @Override
        public void force() throws IOException {
            synchronized (SimulatedDisk.this) {
                operation("force " + name);
                if (forceFails) throw new IOException("Input/output error");
                inode.forced = inode.now.clone();
                inode.dirty.clear();
            }
        }

        @Override
        public void truncate(long size) {
            synchronized (SimulatedDisk.this) {
                operation("truncate " + name);
                inode.now = Arrays.copyOf(inode.now, (int) size);
            }
        }

        @Override
        public void close() {
            // Closing forces nothing.
        }
    }
}
