package tidepool.cli;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tidepool.bench.race.Peers;

/**
 * The location of the libraries of foreign stores. The libraries are large, so the launcher builds the module
 * {@code peers} only for commands that name such a store. The property {@code tidepool.peers} says where its
 * {@code target} folder is.
 */
final class PeerLibraries {
    private static final String PROPERTY = "tidepool.peers";

    private PeerLibraries() {}

    /** Returns the class path of contenders: our own, and the libraries that these peers need. */
    static String classPath(List<String> peers) {
        return classPathWith(peers.stream().filter(Peers::isForeign).toList());
    }

    /** Returns the class path of processes: our own, and the libraries of the module if the list is not empty. */
    static String classPathWith(List<String> foreign) {
        String own = System.getProperty("java.class.path");
        if (foreign.isEmpty()) return own;
        if (Distribution.isHere()) throw Distribution.refusal("a race against " + String.join(" and ", foreign));
        String target = System.getProperty(PROPERTY, "");
        Path jar = Path.of(target, "tidepool-peers.jar");
        if (target.isEmpty() || !Files.exists(jar))
            throw new UserError("the libraries of " + String.join(" and ", foreign)
                    + " are not here; start the command by ./tidepool, which builds the module peers for it");
        return String.join(
                File.pathSeparator,
                own,
                jar.toString(),
                Path.of(target, "lib", "*").toString());
    }
}
