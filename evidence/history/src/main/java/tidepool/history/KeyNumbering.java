package tidepool.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers the keys of a history 0, 1, 2, …, so that all data about a key can be in arrays. */
final class KeyNumbering {
    private final LongIntMap numbered = new LongIntMap();
    private final Map<String, Integer> named = new HashMap<>();
    private final LongIntMap buckets = new LongIntMap();
    private final List<String> names = new ArrayList<>();
    private final ByteColumn uses = new ByteColumn();
    private final LongIntMap indexes = new LongIntMap();
    private final LongColumn numbers = new LongColumn();
    private final ByteColumn hasNumber = new ByteColumn();
    private int bucketCount;
    private int indexCount;

    static final byte UNUSED = 0;
    static final byte LIST = 1;
    static final byte REGISTER = 2;
    static final byte BUCKET = 3;
    static final byte INDEX = 4;

    int intern(long name) {
        int key = numbered.get(name);
        if (key == LongIntMap.ABSENT) {
            key = add(Long.toString(name));
            numbered.put(name, key);
            numbers.set(key, name);
            hasNumber.set(key, (byte) 1);
        }
        return key;
    }

    int intern(String name) {
        return named.computeIfAbsent(name, n -> add('"' + n + '"'));
    }

    /** Numbers a bucket among the keys, because it has versions like a key; the names of buckets are separate. */
    int internBucket(long name) {
        int bucket = buckets.get(name);
        if (bucket == LongIntMap.ABSENT) {
            bucket = add("bucket " + name);
            buckets.put(name, bucket);
            uses.set(bucket, BUCKET);
            bucketCount++;
        }
        return bucket;
    }

    /** Numbers an index among the keys, because it is read like one; the names of indexes are separate. */
    int internIndex(long name) {
        int index = indexes.get(name);
        if (index == LongIntMap.ABSENT) {
            index = add(name == MicroOp.KEY_ORDER ? "the order of keys" : "index " + name);
            indexes.put(name, index);
            numbers.set(index, name);
            uses.set(index, INDEX);
            indexCount++;
        }
        return index;
    }

    /** Returns whether a key is a row, whose name is a number: only these lie in the order of keys. */
    boolean isOrdered(int key) {
        return hasNumber.at(key) == 1 && uses.at(key) == REGISTER;
    }

    /** Returns the name of a key or of an index as a number. */
    long number(int key) {
        return numbers.at(key);
    }

    boolean isIndex(int key) {
        return uses.at(key) == INDEX;
    }

    int indexCount() {
        return indexCount;
    }

    /** Returns false if the key was a register and is now used as a list, or the reverse. */
    boolean use(int key, byte use) {
        if (uses.at(key) == UNUSED) uses.set(key, use);
        return uses.at(key) == use;
    }

    String name(int key) {
        return names.get(key);
    }

    /** Returns {@code key 5}, or {@code bucket 5}. */
    String title(int key) {
        return isBucket(key) || isIndex(key) ? name(key) : "key " + name(key);
    }

    boolean isBucket(int key) {
        return uses.at(key) == BUCKET;
    }

    /** Returns the number of keys, buckets and indexes included. */
    int count() {
        return names.size();
    }

    int bucketCount() {
        return bucketCount;
    }

    private int add(String name) {
        names.add(name);
        uses.add(UNUSED);
        numbers.add(0);
        hasNumber.add((byte) 0);
        return names.size() - 1;
    }
}
