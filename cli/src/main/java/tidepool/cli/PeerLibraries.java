package tidepool.cli;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tidepool.bench.race.Peers;

/**
 * Where the libraries of other people's stores are. They are large, so the launcher builds the room {@code peers} only for
 * those who name such a store, and tells by the property {@code tidepool.peers} where its {@code target} folder is.
 */
final class PeerLibraries {
    private static final String PROPERTY = "tidepool.peers";

    private PeerLibraries() {}

    /** The class path of contenders: our own, and what those peers need. */
    static String classPath(List<String> peers) {
        return classPathWith(peers.stream().filter(Peers::isForeign).toList());
    }

    /** The class path of processes: our own, and if anybody is named, the libraries of the room. */
    static String classPathWith(List<String> foreign) {
        String own = System.getProperty("java.class.path");
        if (foreign.isEmpty()) return own;
        String target = System.getProperty(PROPERTY, "");
        Path jar = Path.of(target, "tidepool-peers.jar");
        if (target.isEmpty() || !Files.exists(jar))
            throw new UserError("the libraries of " + String.join(" and ", foreign)
                    + " are not here; start the command by ./tidepool, which builds the room peers for it");
        return String.join(
                File.pathSeparator,
                own,
                jar.toString(),
                Path.of(target, "lib", "*").toString());
    }
}
