package tidepool.protocol;

import java.util.List;
import tidepool.protocol.ford.Ford;

/** The protocols that there are, by the names that URLs and the command line use. A new one is added here. */
public final class Protocols {
    /** All names. */
    public static final List<String> NAMES = List.of("ford");

    private Protocols() {}

    /** The protocol of that name; an {@link IllegalArgumentException} that lists the known ones if there is none. */
    public static Protocol named(String name) {
        return switch (name) {
            case "ford" -> new Ford();
            default ->
                throw new IllegalArgumentException(
                        "unknown protocol '" + name + "'; known: " + String.join(", ", NAMES));
        };
    }
}
