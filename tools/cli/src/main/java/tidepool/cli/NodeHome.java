package tidepool.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/**
 * The folder of a node that is in a pool of ZooKeeper. A file in the folder names the pool, and the node and its life
 * to which the rest of the folder belongs.
 */
final class NodeHome {
    private static final String FILE = "identity";

    /** The contents of that file. */
    record Owner(String pool, String identity) {}

    private final Path folder;

    NodeHome(Path folder) {
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    Path journal() {
        return folder.resolve("journal");
    }

    /** Returns whether the folder holds a journal. */
    boolean hasJournal() {
        return Files.exists(journal().resolve("identity"));
    }

    /** Returns null if the folder has no owner yet. */
    Owner owner() {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) return null;
        try {
            List<String> words = List.of(Files.readString(file).strip().split(" ", -1));
            if (words.size() == 2) return new Owner(words.getFirst(), words.getLast());
            throw new UserError("this file does not say which node of which pool the folder belongs to: " + file);
        } catch (IOException e) {
            throw new UserError("cannot read " + file + ": " + e.getMessage());
        }
    }

    void own(Owner owner) {
        Path file = folder.resolve(FILE);
        try {
            Files.createDirectories(folder);
            Files.writeString(file, owner.pool() + " " + owner.identity() + "\n");
        } catch (IOException e) {
            throw new UserError("cannot write " + file + ": " + e.getMessage());
        }
    }

    /**
     * Renames the folder, creates an empty one in its place, and returns the new path of the old one. Removes nothing.
     */
    Path putAside() {
        Path here = folder.toAbsolutePath().normalize();
        Path aside = here.resolveSibling(here.getFileName() + ".left-" + fresh());
        try {
            Files.move(here, aside);
            Files.createDirectories(here);
            return aside;
        } catch (IOException e) {
            throw new UserError("cannot move " + here + " to " + aside + ": " + e.getMessage());
        }
    }

    /** Returns 64 random bits. */
    static String fresh() {
        byte[] bytes = new byte[8];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
