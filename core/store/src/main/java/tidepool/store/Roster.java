package tidepool.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import tidepool.base.Checks;

/**
 * The memory nodes of a pool in one epoch, and the partitions that each holds. Its text form has one line for each
 * item:
 *
 * <pre>
 *    tidepool-roster 1
 *    epoch 7 steady
 *    member 0 10.0.0.1:7070 a#5f0c…          name and life of the node: a node that came back is another
 *    member 1 10.0.0.2:7070 b#77aa…
 *    partition 0 0 1                         positions of the members that hold it, the primary first
 *    partition 1 1 0+                        + is still being filled
 * </pre>
 *
 * @param epoch grows with every change of the members or of the copies they hold
 * @param steady false while a change is under way: no session works in the pool
 * @param members in the order of their positions
 * @param partitions the holders of each partition
 */
public record Roster(long epoch, boolean steady, List<Member> members, List<Copies> partitions) {
    private static final String FIRST_LINE = "tidepool-roster 1";

    public Roster {
        members = List.copyOf(members);
        partitions = List.copyOf(partitions);
        Checks.argument(epoch >= 1 && epoch < 1 << 16, "epochs are 1 to 65535: " + epoch);
        Checks.argument(!members.isEmpty() && members.size() <= 64, "a pool has 1 to 64 memory nodes");
        for (Copies copies : partitions)
            for (int member : copies.all())
                Checks.argument(
                        member >= 0 && member < members.size(),
                        "a partition lies on members of the pool, not on number " + member);
    }

    /**
     * A memory node.
     *
     * @param address HOST:PORT
     * @param identity node and life: without spaces, never used again after the node lost its data
     */
    public record Member(String address, String identity) {
        public Member {
            Checks.argument(isWord(address) && isWord(identity), "an address and an identity have no spaces");
        }

        private static boolean isWord(String text) {
            return !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && c < 127);
        }
    }

    /**
     * The holders of a partition, by position.
     *
     * @param whole those that have all of it; the first is the primary
     * @param filling those that are written like the others and do not have all of it yet
     */
    public record Copies(List<Integer> whole, List<Integer> filling) {
        public Copies {
            whole = List.copyOf(whole);
            filling = List.copyOf(filling);
            Checks.argument(!whole.isEmpty(), "a partition has a whole copy");
            Checks.argument(whole.size() + filling.size() <= 4, "a partition has at most 4 copies");
            List<Integer> all = new ArrayList<>(whole);
            all.addAll(filling);
            Checks.argument(new HashSet<>(all).size() == all.size(), "a member holds a partition once: " + all);
        }

        public List<Integer> all() {
            List<Integer> all = new ArrayList<>(whole);
            all.addAll(filling);
            return all;
        }
    }

    /** Returns the position of a member, or -1. */
    public int position(String identity) {
        for (int i = 0; i < members.size(); i++) if (members.get(i).identity().equals(identity)) return i;
        return -1;
    }

    public boolean isFilling() {
        return partitions.stream().anyMatch(copies -> !copies.filling().isEmpty());
    }

    // ---- text

    public String text() {
        StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
        text.append("epoch ").append(epoch).append(steady ? " steady\n" : " changing\n");
        for (int i = 0; i < members.size(); i++)
            text.append("member ")
                    .append(i)
                    .append(' ')
                    .append(members.get(i).address())
                    .append(' ')
                    .append(members.get(i).identity())
                    .append('\n');
        for (int p = 0; p < partitions.size(); p++) {
            text.append("partition ").append(p);
            for (int member : partitions.get(p).whole()) text.append(' ').append(member);
            for (int member : partitions.get(p).filling())
                text.append(' ').append(member).append('+');
            text.append('\n');
        }
        return text.toString();
    }

    /** Reads the text form. Fails with {@link StoreException} if {@link #text} cannot have written it. */
    public static Roster parse(String text) {
        try {
            List<String> lines = text.lines().toList();
            Checks.argument(lines.getFirst().equals(FIRST_LINE), "it begins with '" + lines.getFirst() + "'");
            String[] head = words(lines.get(1), "epoch", 3);
            Checks.argument(
                    head[2].equals("steady") || head[2].equals("changing"),
                    "a roster is steady or changing: " + head[2]);
            List<Member> members = new ArrayList<>();
            List<Copies> partitions = new ArrayList<>();
            for (String line : lines.subList(2, lines.size())) {
                if (line.startsWith("member ")) {
                    String[] words = words(line, "member", 4);
                    Checks.argument(Integer.parseInt(words[1]) == members.size(), "members are in order: " + line);
                    members.add(new Member(words[2], words[3]));
                } else partitions.add(copies(line, partitions.size()));
            }
            return new Roster(Long.parseLong(head[1]), head[2].equals("steady"), members, partitions);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | java.util.NoSuchElementException e) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT, "this is not a roster of a pool: " + e.getMessage());
        }
    }

    private static Copies copies(String line, int expected) {
        String[] words = words(line, "partition", -1);
        Checks.argument(Integer.parseInt(words[1]) == expected, "partitions are in order: " + line);
        List<Integer> whole = new ArrayList<>();
        List<Integer> filling = new ArrayList<>();
        for (int i = 2; i < words.length; i++) {
            boolean fills = words[i].endsWith("+");
            int member = Integer.parseInt(fills ? words[i].substring(0, words[i].length() - 1) : words[i]);
            (fills ? filling : whole).add(member);
        }
        return new Copies(whole, filling);
    }

    private static String[] words(String line, String first, int count) {
        String[] words = line.split(" ", -1);
        Checks.argument(
                words[0].equals(first) && (count < 0 ? words.length >= 3 : words.length == count),
                "a line of '" + first + "', not '" + line + "'");
        return words;
    }
}
