package tidepool.check.litmus;

import java.util.List;
import tidepool.check.cluster.ClusterOptions;
import tidepool.check.cluster.QuietPool;
import tidepool.fabric.sim.Adversary;
import tidepool.protocol.ford.PlantedBug;

class Matrix {
    public static void main(String[] args) {
        java.util.logging.Logger LOG = java.util.logging.Logger.getLogger("tidepool");
        LOG.setLevel(java.util.logging.Level.OFF);
        java.util.List<String> bugs = args.length > 1 ? List.of(args[1].split(",")) : null;
        for (Scene scene : Scenes.ALL) {
            if (args.length > 0
                    && !args[0].equals("all")
                    && !List.of(args[0].split(",")).contains(scene.name())) continue;
            for (PlantedBug bug : PlantedBug.values()) {
                if (bugs != null && !bugs.contains(bug.name())) continue;
                String free = "-", plan = "-", why = "", why2 = "";
                for (int seed = 1; seed <= 100 && !scene.isMortal(); seed++)
                    try {
                        new Performance(new SimWorld(bug, ClusterOptions.DEATHS, QuietPool::check, seed), scene)
                                .play(List.of(Plan.free(3 * seed), Plan.free(3 * seed + 1), Plan.free(3 * seed + 2)));
                    } catch (Forbidden e) {
                        free = "" + seed;
                        why = e.getMessage();
                        break;
                    }
                Performance p = new Performance(new SimWorld(bug, Adversary.NONE, QuietPool::check, 1), scene);
                try {
                    p.play(scene.schedule(p.verbs()));
                } catch (Forbidden e) {
                    plan = "" + p.rounds();
                    why2 = e.getMessage();
                }
                if (!free.equals("-") || !plan.equals("-"))
                    System.out.println(
                            scene + " | " + bug + " | " + free + " | " + plan + " | " + cut(why) + " | " + cut(why2));
            }
        }
    }

    static String cut(String s) {
        return s.length() > 220 ? s.substring(0, 220) : s;
    }
}
