package tidepool.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import tidepool.cli.ShippedTexts;

/**
 * The files of the distribution.
 *
 * <pre>
 * bin/tidepool       launcher
 * lib/               our jars and the libraries of the command; lib/zookeeper/ has ZooKeeper with all that it needs
 * doc/               README, guide, operating; man/ has a page for each command
 * etc/               unit of systemd, settings of a node, credentials
 * Containerfile  LICENSE
 * </pre>
 */
final class DistContents {
    private static final List<String> OF_COMMANDS =
            List.of("tidepool", "picocli-", "jline-", "jackson-core-", "HdrHistogram-");

    /** Curator, ZooKeeper, and what they depend on. */
    private static final List<String> OF_ZOOKEEPER = List.of(
            "audience-annotations-",
            "commons-io-",
            "curator-",
            "error_prone_annotations-",
            "failureaccess-",
            "guava-",
            "listenablefuture-",
            "metrics-core-",
            "netty-",
            "slf4j-",
            "snappy-java-",
            "zookeeper-");

    private static final List<String> PAGES = List.of("README.md", "CHANGELOG.md", "MIGRATE.md");
    private static final List<String> FOLDERS = List.of("docs/guide", "docs/operating");

    private static final int PLAIN = 0644;
    private static final int EXECUTABLE = 0755;

    private final Path checkout;
    private final List<DistFile> files = new ArrayList<>();

    private DistContents(Path checkout) {
        this.checkout = checkout;
    }

    /** Returns the files sorted by their path. */
    static List<DistFile> of(Path checkout) throws IOException {
        DistContents contents = new DistContents(checkout);
        contents.addCommand();
        contents.addLibraries();
        contents.addPages();
        contents.addTexts();
        contents.files.sort(Comparator.comparing(DistFile::path));
        return contents.files;
    }

    private void addCommand() {
        copy("bin/tidepool", checkout.resolve("dist/files/bin/tidepool"), EXECUTABLE);
        copy("lib/find-java.sh", checkout.resolve("config/find-java.sh"), PLAIN);
        for (String file : List.of("Containerfile", "etc/credentials.sample", "etc/tidepool-node.service"))
            copy(file, checkout.resolve("dist/files").resolve(file), PLAIN);
        copy("LICENSE", checkout.resolve("LICENSE"), PLAIN);
    }

    /** The manifest names the jars. The folder of the jar may also have those of earlier builds. */
    private void addLibraries() throws IOException {
        Path target = checkout.resolve("tools/cli/target");
        Path command = target.resolve("tidepool.jar");
        if (!Files.exists(command)) throw new IOException("the command is not built: there is no " + command);
        copy("lib/tidepool.jar", command, PLAIN);
        try (JarFile jar = new JarFile(command.toFile())) {
            String classPath = jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            for (String library : classPath.split(" ", -1)) {
                String name = Path.of(library).getFileName().toString();
                copy(folder(name) + name, target.resolve(library), PLAIN);
            }
        }
    }

    private static String folder(String jar) {
        if (isOneOf(OF_COMMANDS, jar)) return "lib/";
        if (isOneOf(OF_ZOOKEEPER, jar)) return "lib/zookeeper/";
        throw new IllegalStateException(jar + " has no place in the distribution; DistContents lists the places");
    }

    private static boolean isOneOf(List<String> prefixes, String jar) {
        return prefixes.stream().anyMatch(jar::startsWith);
    }

    private void addPages() throws IOException {
        Map<String, String> places = new TreeMap<>();
        for (String page : PAGES) places.put(page, "doc/" + page);
        for (String folder : FOLDERS)
            try (Stream<Path> pages = Files.list(checkout.resolve(folder))) {
                for (Path page :
                        pages.filter(each -> each.toString().endsWith(".md")).toList()) {
                    String path = folder + "/" + page.getFileName();
                    places.put(path, path.replaceFirst("^docs/", "doc/"));
                }
            }
        PageLinks links = new PageLinks(places);
        for (Map.Entry<String, String> place : places.entrySet())
            write(place.getValue(), links.rewrite(place.getKey(), Files.readString(checkout.resolve(place.getKey()))));
    }

    private void addTexts() {
        ShippedTexts.manualPages().forEach((page, text) -> write("doc/man/man1/" + page, text));
        write("etc/node.conf", ShippedTexts.nodeSettings());
    }

    private void copy(String path, Path source, int mode) {
        files.add(new DistFile(path, source, null, mode));
    }

    private void write(String path, String text) {
        files.add(new DistFile(path, null, text, PLAIN));
    }
}
