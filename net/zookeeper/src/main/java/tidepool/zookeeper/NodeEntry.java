package tidepool.zookeeper;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import tidepool.store.Roster.Member;
import tidepool.store.StoreException;

/**
 * The entry of a node in ZooKeeper, one property per line:
 *
 * <pre>
 *   tidepool-node 1
 *   address 10.0.0.1:7400
 *   name a
 *   lease-millis 2000
 *   memory 1073741824
 * </pre>
 *
 * @param identity the name of the entry: which life of which node
 * @param created grows with every entry that is made; 0 before it is made. Not in the text
 * @param lease how long ZooKeeper waits for the node before it removes the entry
 */
public record NodeEntry(String identity, String address, String name, Duration lease, long memory, long created) {
    private static final String FIRST_LINE = "tidepool-node 1";

    public Member member() {
        return new Member(address, identity);
    }

    String text() {
        return FIRST_LINE + "\naddress " + address + "\nname " + name + "\nlease-millis " + lease.toMillis()
                + "\nmemory " + memory + "\n";
    }

    static NodeEntry parse(String identity, String text, long created) {
        Map<String, String> lines = new LinkedHashMap<>();
        for (String line : text.lines().skip(1).toList()) {
            String[] words = line.split(" ", 2);
            lines.put(words[0], words.length < 2 ? "" : words[1]);
        }
        try {
            if (!text.startsWith(FIRST_LINE + "\n")) throw new IllegalArgumentException("it does not begin so");
            NodeEntry entry = new NodeEntry(
                    identity,
                    lines.get("address"),
                    lines.get("name"),
                    Duration.ofMillis(Long.parseLong(lines.get("lease-millis"))),
                    Long.parseLong(lines.get("memory")),
                    created);
            new Member(entry.address, identity); // checks that the address and the identity are valid
            return entry;
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT,
                    "this is not the entry of a node: " + identity + ": " + e.getMessage());
        }
    }
}
