package tidepool.fabric;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** A URL parameter that is unknown to the code that reads it. The message names all known parameters. */
public final class UnknownParameterException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final String[] known;

    UnknownParameterException(String name, String url, Collection<String> known) {
        super("unknown parameter '" + name + "' in " + url + "; known: " + String.join(", ", new TreeSet<>(known)));
        this.name = name;
        this.known = known.toArray(String[]::new);
    }

    /** Returns this exception for the whole URL, from which other code had taken parameters before. */
    public UnknownParameterException in(String whole, Collection<String> takenBefore) {
        List<String> all = new ArrayList<>(List.of(known));
        all.addAll(takenBefore);
        return new UnknownParameterException(name, whole, all);
    }
}
