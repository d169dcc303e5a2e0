package tidepool.spi;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tidepool.backup.BackupException;
import tidepool.backup.BackupSummary;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Protocols;
import tidepool.store.Catalog;
import tidepool.store.CatalogImageReader;
import tidepool.store.CatalogLayout;
import tidepool.store.FlushPolicy;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;

/**
 * Functions that write, check and restore the file of a backup, for tools that have a fabric. Applications use
 * {@link tidepool.backup.Backup}.
 */
@SuppressWarnings("exports") // its callers require the modules below
public final class BackupImage {
    private static final int PIECE_BYTES = 256 * 1024;

    private BackupImage() {}

    // ---- writing

    /**
     * Writes the memory of one node to a file. The node must have a whole copy of every partition, and no session may
     * change it any more.
     *
     * @param alone a fabric of that node alone
     * @param sessions the highest number of a session that can have written something
     */
    public static BackupSummary write(Fabric alone, int sessions, Path path) throws IOException {
        try (Session session = alone.attach();
                Lane lane = session.lane()) {
            Link link = lane.connect(0);
            Id128[] regions = alone.control(0).regions();
            Round round = lane.round(1);
            MemorySegment catalog = lane.landing(CatalogLayout.BYTES);
            read(round, link.open(regions[0]), 0, catalog, CatalogLayout.BYTES);
            CatalogImageReader image = CatalogImageReader.of(catalog);
            if (image != null && !image.isSteady())
                throw new BackupException("the tables of the pool were being changed: back it up again");
            BackupManifest description = describe(catalog, sessions);
            long pieces = 0;
            try (BackupFile.Writer writer = new BackupFile.Writer(path, description)) {
                for (int i = 0; i < description.tables(); i++, pieces++)
                    writer.piece(
                            BackupFile.TABLES,
                            i * (long) CatalogLayout.TABLE_BYTES,
                            catalog.asSlice(CatalogLayout.table(i), CatalogLayout.TABLE_BYTES),
                            CatalogLayout.TABLE_BYTES);
                MemorySegment piece = lane.landing(PIECE_BYTES);
                for (int p = 0; p < description.options().partitions(); p++) {
                    int region = (int) Words.plain(catalog, CatalogLayout.partitionRegion(p));
                    if (region == 0) throw new BackupException("the node has no copy of partition " + p);
                    Region from = link.open(regions[region]);
                    for (long at = 0; at < description.usedBytes(); at += PIECE_BYTES, pieces++) {
                        long length = Math.min(PIECE_BYTES, description.usedBytes() - at);
                        read(round, from, at, piece, length);
                        writer.piece(p, at, piece, length);
                    }
                }
                return description.summary(pieces, writer.finish());
            }
        }
    }

    private static void read(Round round, Region region, long at, MemorySegment landing, long bytes) {
        for (long done = 0; done < bytes; done += PIECE_BYTES)
            round.read(region, at + done, Math.min(PIECE_BYTES, bytes - done), landing, done)
                    .post()
                    .await();
    }

    private static BackupManifest describe(MemorySegment catalog, int sessions) {
        PoolOptions options = new PoolOptions(
                name(Words.plain(catalog, CatalogLayout.PROTOCOL)),
                (int) Words.plain(catalog, CatalogLayout.REPLICAS),
                (int) Words.plain(catalog, CatalogLayout.PARTITIONS),
                Words.plain(catalog, CatalogLayout.PARTITION_BYTES),
                (int) Words.plain(catalog, CatalogLayout.COORDINATOR_COUNT),
                Words.plain(catalog, CatalogLayout.LOG_SLOT_BYTES));
        long epoch = Words.plain(catalog, CatalogLayout.EPOCH) & ~CatalogLayout.CHANGING;
        return new BackupManifest(
                options,
                FlushPolicy.values()[(int) Words.plain(catalog, CatalogLayout.FLUSH)],
                (int) Words.plain(catalog, CatalogLayout.TABLE_COUNT),
                Words.plain(catalog, CatalogLayout.NEXT_OFFSET),
                sessions,
                epoch,
                CatalogLayout.timestampAfter(epoch, Words.plain(catalog, CatalogLayout.TIMESTAMP)));
    }

    private static String name(long word) {
        byte[] letters = new byte[8];
        int count = 0;
        for (long left = word; left != 0; left >>>= 8) letters[count++] = (byte) (left & 0x7f);
        return new String(letters, 0, count, StandardCharsets.US_ASCII);
    }

    // ---- checking

    /** Reads a backup from its beginning to its end. Fails with {@link BackupException} if it is not whole. */
    public static BackupSummary check(Path path) throws IOException {
        try (BackupFile.Reader reader = new BackupFile.Reader(path)) {
            long pieces = 0;
            while (reader.next()) pieces++;
            return reader.description().summary(pieces, Files.size(path));
        }
    }

    private static BackupManifest manifest(Path path) throws IOException {
        try (BackupFile.Reader reader = new BackupFile.Reader(path)) {
            return reader.description();
        }
    }

    // ---- restoring

    /**
     * Makes a new pool with the content of a backup at a URL. Layout, protocol and flush policy are those of the
     * backup; {@code replicas} of the URL counts.
     */
    public static BackupSummary restore(Path path, String url) throws IOException {
        FabricUrl parsed = FabricUrl.parse(url);
        int replicas = parsed.integer("replicas", 0, 0, 4);
        FabricUrl place = parsed.without(Protocols.parameters());
        if (place.has("nodes")) {
            check(path); // before the members of a new pool are chosen
            place = withProtocolOf(manifest(path), place);
        }
        try (Membership membership = Membership.open(place)) {
            Roster roster = membership == null ? null : membership.read();
            try (Fabric fabric = membership == null
                    ? Fabric.open(place.without(PoolOptions.NAMES).text())
                    : membership.open(roster)) {
                return restore(path, fabric, replicas, roster);
            }
        }
    }

    /**
     * Returns the URL with the protocol and flush policy of the backup. A pool that is made in ZooKeeper stores them
     * there, so clients need not name them.
     */
    private static FabricUrl withProtocolOf(BackupManifest made, FabricUrl place) {
        return FabricUrl.parse(place.without(List.of("protocol")).text() + "&protocol="
                + made.options().protocol()
                + (made.flush().isDurable() ? "&" + made.flush().text() : ""));
    }

    /**
     * Makes a new pool with the content of a backup. The file is read twice, so that nothing is made from a damaged
     * one. If the restore is interrupted, there is no pool, and the next session that opens it makes an empty one.
     *
     * @param replicas copies of each partition; 0 for as many as the pool had
     * @param roster the members of the fabric; null if they never change
     */
    public static BackupSummary restore(Path path, Fabric fabric, int replicas, Roster roster) throws IOException {
        BackupSummary summary = check(path);
        BackupManifest manifest = manifest(path);
        PoolOptions had = manifest.options();
        PoolOptions options = new PoolOptions(
                had.protocol(),
                replicas == 0 ? had.replicas() : replicas,
                had.partitions(),
                had.partitionBytes(),
                had.coordinators(),
                had.logSlotBytes(),
                had.logHeapBytes());
        if (roster != null && roster.partitions().size() != had.partitions())
            throw new BackupException("the snapshot has " + had.partitions() + " partitions, and the new pool "
                    + roster.partitions().size());
        // Ids contain session numbers, and no id may be used twice, in either pool.
        fabric.control(0).revoke(manifest.sessions() + 1);
        fabric.control(0).forget(manifest.sessions() + 1);
        try (Session session = fabric.attach();
                BackupFile.Reader reader = new BackupFile.Reader(path)) {
            Catalog.create(fabric, session, options, manifest.flush(), roster, catalog -> {
                try {
                    copy(reader, fabric, session, catalog);
                } catch (IOException e) {
                    throw new BackupException(path + " cannot be read any more: " + e.getMessage(), e);
                }
            });
        }
        return summary;
    }

    private static void copy(BackupFile.Reader reader, Fabric fabric, Session session, Catalog catalog)
            throws IOException {
        try (Lane lane = session.lane();
                Arena arena = Arena.ofConfined()) {
            BackupManifest description = reader.description();
            long entryBytes = Math.max(1, description.tables()) * (long) CatalogLayout.TABLE_BYTES;
            MemorySegment entries = arena.allocate(entryBytes, Words.BYTES);
            MemorySegment landing = lane.landing(BackupFile.MAX_BYTES);
            Round round = lane.round(1);
            List<Link> links = new ArrayList<>();
            for (int node = 0; node < fabric.nodes(); node++) links.add(lane.connect(node));
            List<List<Region>> copies = new ArrayList<>();
            for (int p = 0; p < catalog.placement().partitions(); p++) {
                copies.add(new ArrayList<>());
                for (int i = 0; i < catalog.placement().copies(p); i++) {
                    int node = catalog.placement().replica(p, i);
                    Id128 capability = fabric.control(node).regions()[catalog.partitionRegion(node, p)];
                    copies.get(p).add(links.get(node).open(capability));
                }
            }
            while (reader.next()) {
                if (reader.kind() == BackupFile.TABLES) {
                    MemorySegment.copy(reader.memory(), 0, entries, reader.offset(), reader.length());
                    continue;
                }
                MemorySegment.copy(reader.memory(), 0, landing, 0, reader.length());
                for (Region to : copies.get((int) reader.kind()))
                    for (long done = 0; done < reader.length(); done += PIECE_BYTES)
                        round.write(
                                        to,
                                        reader.offset() + done,
                                        Math.min(PIECE_BYTES, reader.length() - done),
                                        landing,
                                        done)
                                .post()
                                .await();
            }
            for (Link link : links) round.flush(link).post().await();
            catalog.adopt(entries, description.tables(), description.usedBytes(), description.timestamp());
        }
    }
}
