package tidepool.check.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers the keys of a history 0, 1, 2, …, so that everything about a key can lie in arrays. */
final class Keys {
    private final LongIntMap numbered = new LongIntMap();
    private final Map<String, Integer> named = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private final ByteColumn uses = new ByteColumn();

    static final byte UNUSED = 0;
    static final byte LIST = 1;
    static final byte REGISTER = 2;

    int intern(long name) {
        int key = numbered.get(name);
        if (key == LongIntMap.ABSENT) {
            key = add(Long.toString(name));
            numbered.put(name, key);
        }
        return key;
    }

    int intern(String name) {
        return named.computeIfAbsent(name, n -> add('"' + n + '"'));
    }

    /** False if the key was a register and is now used as a list, or the other way round. */
    boolean use(int key, byte use) {
        if (uses.at(key) == UNUSED) uses.set(key, use);
        return uses.at(key) == use;
    }

    String name(int key) {
        return names.get(key);
    }

    int count() {
        return names.size();
    }

    private int add(String name) {
        names.add(name);
        uses.add(UNUSED);
        return names.size() - 1;
    }
}
