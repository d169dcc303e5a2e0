package tidepool.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The lists that reads saw, each stored once.
 *
 * <p>In a correct history every list that was read from a key is a prefix of the longest one. So a read is kept as a
 * branch and a length, and the memory needed is that of the appends, not that of all lists. A list that is neither a
 * prefix nor an extension of a known list opens another branch: a key with two branches has an incompatible order.
 */
final class Branches {
    private final List<Branch> all = new ArrayList<>();
    private final IntColumn newestOfKey = new IntColumn();

    /** One maximal list of a key. */
    static final class Branch {
        final int key;
        /** The branch of this key that was opened before, or -1. */
        final int older;
        /** The operation that read the whole list. */
        int witness;

        private long[] elements;
        private int length;

        private Branch(int key, int older) {
            this.key = key;
            this.older = older;
            this.elements = new long[4];
        }

        int length() {
            return length;
        }

        long at(int position) {
            return elements[position];
        }

        /** Returns the number of elements at the beginning that are equal in both. */
        int common(Branch other) {
            int bound = Math.min(length, other.length);
            int mismatch = Arrays.mismatch(elements, 0, bound, other.elements, 0, bound);
            return mismatch < 0 ? bound : mismatch;
        }

        /**
         * Returns true if the list is a prefix of this branch or this branch is a prefix of it; then the branch takes
         * the rest.
         */
        private boolean takes(long[] list, int from, int count, int reader) {
            int bound = Math.min(count, length);
            if (Arrays.mismatch(elements, 0, bound, list, from, from + bound) >= 0) return false;
            if (count > length) {
                if (count > elements.length) elements = Arrays.copyOf(elements, Math.max(count, length * 2));
                System.arraycopy(list, from + length, elements, length, count - length);
                length = count;
                witness = reader;
            }
            return true;
        }
    }

    /** Returns the number of the branch that begins with the list, which must not be empty. */
    int place(int key, long[] list, int from, int count, int reader) {
        while (newestOfKey.size() <= key) newestOfKey.add(-1);
        for (int i = newestOfKey.at(key); i >= 0; i = all.get(i).older) {
            if (all.get(i).takes(list, from, count, reader)) return i;
        }
        Branch branch = new Branch(key, newestOfKey.at(key));
        branch.takes(list, from, count, reader);
        branch.witness = reader;
        all.add(branch);
        newestOfKey.set(key, all.size() - 1);
        return all.size() - 1;
    }

    Branch at(int number) {
        return all.get(number);
    }

    int count() {
        return all.size();
    }

    /** Returns the newest branch of a key, or -1 if no transaction read an element of it. */
    int newest(int key) {
        return key < newestOfKey.size() ? newestOfKey.at(key) : -1;
    }

    /** Returns the branch of a key with the most elements, or -1. */
    int longest(int key) {
        int best = -1;
        for (int i = newest(key); i >= 0; i = at(i).older) {
            if (best < 0 || at(i).length >= at(best).length) best = i;
        }
        return best;
    }
}
