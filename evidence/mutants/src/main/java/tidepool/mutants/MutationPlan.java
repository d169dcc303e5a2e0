package tidepool.mutants;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tidepool.base.Randomness;

/** The mutants of a run, drawn from all places of a module by the seed: equal seeds give equal lists. */
final class MutationPlan {
    private MutationPlan() {}

    /**
     * Draws kinds of change first and places then. Otherwise most mutants would be of numbers, because a class has more
     * of them than of anything else.
     */
    static List<Mutant> draw(Map<String, byte[]> classes, Sites sites, Pattern only, long seed, int count) {
        List<List<Mutant>> byKind = new ArrayList<>();
        for (Mutation _ : Mutation.values()) byKind.add(new ArrayList<>());
        classes.forEach((name, bytes) -> {
            if (!only.matcher(name.replace('/', '.')).find()) return;
            for (Mutant mutant : sites.of(bytes))
                byKind.get(mutant.mutation().ordinal()).add(mutant);
        });
        byKind.removeIf(List::isEmpty);
        Randomness random = new Randomness(seed).fork("mutants");
        List<Mutant> drawn = new ArrayList<>();
        while (drawn.size() < count && !byKind.isEmpty()) {
            int kind = random.nextInt(byKind.size());
            List<Mutant> left = byKind.get(kind);
            int chosen = random.nextInt(left.size());
            drawn.add(left.get(chosen));
            left.set(chosen, left.getLast());
            left.removeLast();
            if (left.isEmpty()) byKind.remove(kind);
        }
        return drawn;
    }
}
