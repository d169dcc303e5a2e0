package tidepool.cli;

import java.util.ArrayList;
import java.util.List;
import tidepool.fabric.FabricUrl;
import tidepool.wire.HostPort;

/** Parser of node lists on a command line: {@code HOST:PORT,HOST:PORT}, or the URL of a pool. */
final class NodeList {
    private static final String SCHEME = "tcp://";
    private static final String DEFAULT_PORT = ":7400";

    private NodeList() {}

    /** Returns the URL for either form. */
    static FabricUrl url(String text) {
        FabricUrl url = FabricUrl.parse(text.matches("[a-z]+:(//.*|)|(mem|shm|sim):.*") ? text : SCHEME + text);
        if (!url.scheme().equals("tcp"))
            throw new IllegalArgumentException(
                    "only pools on the network have nodes to ask: tcp://HOST:PORT or HOST:PORT, not " + url.scheme()
                            + ":");
        return url;
    }

    /** Returns the nodes in a URL. The default port may be left out. */
    static List<HostPort> of(FabricUrl url) {
        String names = url.target().replaceFirst("^//", "").replaceFirst("/.*", "");
        List<HostPort> nodes = new ArrayList<>();
        for (String name : names.split(",", -1)) {
            boolean hasPort = name.startsWith("[") ? name.contains("]:") : name.contains(":");
            nodes.add(HostPort.parse("a node", hasPort ? name : name + DEFAULT_PORT));
        }
        return nodes;
    }
}
