package tidepool.check.litmus;

import java.util.ArrayList;
import java.util.List;

class ShmTry {
    public static void main(String[] args) {
        java.util.logging.Logger LOG = java.util.logging.Logger.getLogger("tidepool");
        LOG.setLevel(java.util.logging.Level.OFF);
        long t = System.nanoTime();
        try (ShmWorld world = new ShmWorld(args[1])) {
            System.out.println("open " + (System.nanoTime() - t) / 1000000);
            for (Scene scene : Scenes.ALL) {
                if (!args[0].equals("all") && !List.of(args[0].split(",")).contains(scene.name())) continue;
                long t0 = System.nanoTime();
                Performance planned = new Performance(world, scene);
                planned.play(world.schedule(scene, planned.verbs()));
                long t1 = System.nanoTime();
                Performance free = new Performance(world, scene);
                List<Plan> plans = new ArrayList<>();
                for (int i = 1; i <= 50; i++) plans.add(Plan.free(i));
                if (!scene.isMortal()) free.play(plans);
                System.out.println("| " + scene + " | " + planned.met() + "/" + planned.rounds() + " | " + free.met()
                        + "/" + free.rounds() + " | " + (t1 - t0) / 1000000 + " " + (System.nanoTime() - t1) / 1000000);
            }
        }
    }
}
