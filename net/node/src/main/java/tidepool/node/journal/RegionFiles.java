package tidepool.node.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tidepool.base.Id128;
import tidepool.base.OwnerOnly;
import tidepool.node.journal.JournalException.Reason;

/**
 * The region files of a node whose folder is persistent memory. Each file is a page with a file header, then the
 * region. The journal has the header and the extent map of such a region. Only the file has the data.
 *
 * <pre>
 *   step                                        a crash right after it leaves
 *   zeros and the header as NAME.new; force     a file that the next start removes
 *   rename it, force the names                  a region that no journal knows: removed as well
 *   the journal records a new region            a region
 *   …
 *   the journal records its deletion            a file that the next start removes
 *   remove it                                   nothing
 * </pre>
 */
public final class RegionFiles {
    /** The name of the folder of region files, next to the folder of the journal. */
    public static final String FOLDER = "regions";

    /** The offset at which a region begins in its file. */
    static final long REGION_AT = 4096;

    private static final int CHUNK = 1 << 20;
    private static final Pattern NAME = Pattern.compile("region-([0-9a-f]{2})-([0-9a-f]{4})(\\.new)?");

    private final JournalDisk disk;
    private final PersistentMapping mapping;
    private Id128 node;

    private RegionFiles(JournalDisk disk, PersistentMapping mapping) {
        this.disk = disk;
        this.mapping = mapping;
    }

    /** Opens the region files of a node's folder, and makes their folder if it is missing. */
    public static RegionFiles under(Path folder, Function<Path, JournalDisk> disks, PersistentMapping mapping)
            throws IOException {
        Path regions = folder.resolve(FOLDER);
        if (!Files.isDirectory(regions)) {
            OwnerOnly.folder(regions);
            new SystemDisk(folder).forceNames();
        }
        return new RegionFiles(disks.apply(regions), mapping);
    }

    /** Opens region files for reading. Returns null if the journal of that folder has the data, or has not begun. */
    public static RegionFiles seen(Path folder, JournalDisk journal) throws IOException {
        if (!NodeIdentity.isLines(journal)) return null;
        RegionFiles files = new RegionFiles(new SystemDisk(folder.resolve(FOLDER)), null);
        files.belongTo(NodeIdentity.read(journal));
        return files;
    }

    /** Returns whether the node of this journal has its regions in region files. */
    public static boolean hasRegionFiles(JournalDisk journal) throws IOException {
        return NodeIdentity.isLines(journal);
    }

    /** Sets the node of this journal as the owner. Files of other nodes are refused. */
    public void belongTo(JournalDisk journal) throws IOException {
        belongTo(NodeIdentity.read(journal));
    }

    private void belongTo(Id128 owner) {
        node = owner;
    }

    /**
     * Makes a region of zeros. Returns when it would survive a loss of power. Replaces a file that a crash has left.
     */
    public MemorySegment create(int pool, int region, long bytes, Arena arena) throws IOException {
        String name = name(pool, region);
        String unfinished = JournalFileNames.unfinished(name);
        boolean done = false;
        try (JournalDisk.File file = disk.create(unfinished)) {
            MemorySegment zeros = MemorySegment.ofArray(new byte[CHUNK]);
            long size = REGION_AT + bytes;
            for (long at = 0; at < size; at += CHUNK)
                DiskTransfer.write(file, zeros, 0, Math.min(CHUNK, size - at), at);
            header(pool, region, bytes).write(file);
            file.force();
            done = true;
        } finally {
            if (!done) disk.delete(unfinished);
        }
        disk.rename(unfinished, name);
        disk.forceNames();
        return mapping.map(Path.of(disk.path(name)), REGION_AT, bytes, arena);
    }

    /** Returns whether the region has a file. */
    public boolean has(int pool, int region) throws IOException {
        return disk.list().contains(name(pool, region));
    }

    /** Maps an existing region. Throws if its file is another node's or region's, of another size, or damaged. */
    public MemorySegment open(int pool, int region, long bytes, Arena arena) throws IOException {
        try (JournalDisk.File file = disk.open(name(pool, region))) {
            check(file, pool, region, bytes);
        }
        return mapping.map(Path.of(disk.path(name(pool, region))), REGION_AT, bytes, arena);
    }

    /** Copies an existing region. Throws if its file is another node's or region's, of another size, or damaged. */
    void read(int pool, int region, MemorySegment to) throws IOException {
        try (JournalDisk.File file = disk.open(name(pool, region))) {
            long bytes = to.byteSize();
            check(file, pool, region, bytes);
            for (long at = 0; at < bytes; at += CHUNK) {
                long length = Math.min(CHUNK, bytes - at);
                DiskTransfer.read(file, to.asSlice(at, length), length, REGION_AT + at);
            }
        }
    }

    private void check(JournalDisk.File file, int pool, int region, long bytes) throws IOException {
        String path = disk.path(name(pool, region));
        FileHeader found = FileHeader.read(file, path, JournalLayout.LINES_MAGIC, node);
        if (found.number() != number(pool, region))
            throw new JournalException(
                    Reason.FOREIGN,
                    "it has the name of another region: " + path + "; bring back the file that was there");
        if (found.first() != bytes || file.size() != REGION_AT + bytes)
            throw JournalException.damaged(
                    path, file.size(), "the file of a region was cut or extended, which has " + bytes + " bytes,");
    }

    /** Removes the file of a region after the journal has recorded its deletion. */
    public void remove(int pool, int region) throws IOException {
        disk.delete(name(pool, region));
    }

    /** A test of whether a region is live. */
    @FunctionalInterface
    public interface Living {
        boolean isLive(int pool, int region);
    }

    /** Removes unfinished files and files of regions that are not live, which crashes have left. */
    public void sweep(Living living) throws IOException {
        List<String> names = disk.list();
        for (String name : names) {
            Matcher parts = NAME.matcher(name);
            if (!parts.matches()) continue;
            boolean live = parts.group(3) == null
                    && living.isLive(Integer.parseInt(parts.group(1), 16), Integer.parseInt(parts.group(2), 16));
            if (!live) disk.delete(name);
        }
    }

    /** Returns the path of a region's file, for messages. */
    public String path(int pool, int region) {
        return disk.path(name(pool, region));
    }

    private FileHeader header(int pool, int region, long bytes) {
        return new FileHeader(JournalLayout.LINES_MAGIC, node, number(pool, region), 0, 0, bytes);
    }

    private static long number(int pool, int region) {
        return (long) pool << 32 | region;
    }

    private static String name(int pool, int region) {
        return String.format(Locale.ROOT, "region-%02x-%04x", pool, region);
    }
}
