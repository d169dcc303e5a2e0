package tidepool.tcp.journal;

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
import tidepool.tcp.journal.JournalException.Reason;

/**
 * The regions of a node whose folder is persistent memory: a file each, a page that says whose it is and then the region.
 * Of such a region the journal has header and map, and the file alone has the data.
 *
 * <pre>
 *   step                                        a crash right after it leaves
 *   zeros and the header as NAME.new; force     a file that the next start removes
 *   rename it, force the names                  a region that no journal knows: removed as well
 *   the journal says that there is a region     a region
 *   …
 *   the journal says that it is gone            a file that the next start removes
 *   remove it                                   nothing
 * </pre>
 */
public final class RegionFiles {
    /** Beside that of the journal. */
    public static final String FOLDER = "regions";

    /** Where a region begins in its file. */
    static final long REGION_AT = 4096;

    private static final int CHUNK = 1 << 20;
    private static final Pattern NAME = Pattern.compile("region-([0-9a-f]{2})-([0-9a-f]{4})(\\.new)?");

    private final JournalDisk disk;
    private final LineMapping mapping;
    private Id128 node;

    private RegionFiles(JournalDisk disk, LineMapping mapping) {
        this.disk = disk;
        this.mapping = mapping;
    }

    /** Those of a node's folder, which are there or come there. */
    public static RegionFiles under(Path folder, Function<Path, JournalDisk> disks, LineMapping mapping)
            throws IOException {
        Path regions = folder.resolve(FOLDER);
        if (!Files.isDirectory(regions)) {
            OwnerOnly.folder(regions);
            new SystemDisk(folder).forceNames();
        }
        return new RegionFiles(disks.apply(regions), mapping);
    }

    /** To look at alone; null if the journal of that folder has the data too, or has not begun. */
    public static RegionFiles seen(Path folder, JournalDisk journal) throws IOException {
        if (!Identity.isLines(journal)) return null;
        RegionFiles files = new RegionFiles(new SystemDisk(folder.resolve(FOLDER)), null);
        files.belongTo(Identity.read(journal));
        return files;
    }

    /** Whether the regions of the node whose journal this is lie in such files. */
    public static boolean areBeside(JournalDisk journal) throws IOException {
        return Identity.isLines(journal);
    }

    /** Takes the files of the node for its own that the journal is of, and no others. */
    public void belongTo(JournalDisk journal) throws IOException {
        belongTo(Identity.read(journal));
    }

    private void belongTo(Id128 owner) {
        node = owner;
    }

    /** A new region of zeros; returns when it would outlast a loss of power. Replaces what a crash has left. */
    public MemorySegment create(int pool, int region, long bytes, Arena arena) throws IOException {
        String name = name(pool, region);
        String unfinished = Names.unfinished(name);
        boolean done = false;
        try (JournalDisk.File file = disk.create(unfinished)) {
            MemorySegment zeros = MemorySegment.ofArray(new byte[CHUNK]);
            long size = REGION_AT + bytes;
            for (long at = 0; at < size; at += CHUNK) DiskWork.write(file, zeros, 0, Math.min(CHUNK, size - at), at);
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

    /** Whether there is a file of that region. */
    public boolean has(int pool, int region) throws IOException {
        return disk.list().contains(name(pool, region));
    }

    /** A region that is there; says with a sentence if its file is another's, of another size, or damaged. */
    public MemorySegment open(int pool, int region, long bytes, Arena arena) throws IOException {
        try (JournalDisk.File file = disk.open(name(pool, region))) {
            check(file, pool, region, bytes);
        }
        return mapping.map(Path.of(disk.path(name(pool, region))), REGION_AT, bytes, arena);
    }

    /** A copy of a region that is there, with the same sentences. */
    void read(int pool, int region, MemorySegment to) throws IOException {
        try (JournalDisk.File file = disk.open(name(pool, region))) {
            long bytes = to.byteSize();
            check(file, pool, region, bytes);
            for (long at = 0; at < bytes; at += CHUNK) {
                long length = Math.min(CHUNK, bytes - at);
                DiskWork.read(file, to.asSlice(at, length), length, REGION_AT + at);
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

    /** The journal has said that the region is gone. */
    public void remove(int pool, int region) throws IOException {
        disk.delete(name(pool, region));
    }

    /** Tells of a region whether it lives. */
    @FunctionalInterface
    public interface Living {
        boolean isLive(int pool, int region);
    }

    /** Removes what crashes have left. */
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

    /** Where the file of a region lies, for sentences. */
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
