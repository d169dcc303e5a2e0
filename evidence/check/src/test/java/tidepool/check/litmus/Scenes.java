package tidepool.check.litmus;

import java.util.List;
import tidepool.check.litmus.scenes.AbortStorm;
import tidepool.check.litmus.scenes.AbortedRead;
import tidepool.check.litmus.scenes.DirtyRead;
import tidepool.check.litmus.scenes.FreshSlot;
import tidepool.check.litmus.scenes.FullBucket;
import tidepool.check.litmus.scenes.Increments;
import tidepool.check.litmus.scenes.InsertInsert;
import tidepool.check.litmus.scenes.Killed;
import tidepool.check.litmus.scenes.LogSlotReuse;
import tidepool.check.litmus.scenes.LongFork;
import tidepool.check.litmus.scenes.LostUpdate;
import tidepool.check.litmus.scenes.MovedKey;
import tidepool.check.litmus.scenes.PhantomDelete;
import tidepool.check.litmus.scenes.PhantomInsert;
import tidepool.check.litmus.scenes.ReadSkew;
import tidepool.check.litmus.scenes.ReadSkewAtOnce;
import tidepool.check.litmus.scenes.StaleAddress;
import tidepool.check.litmus.scenes.StrictReader;
import tidepool.check.litmus.scenes.TakenMeanwhile;
import tidepool.check.litmus.scenes.TornValue;
import tidepool.check.litmus.scenes.UndoneRead;
import tidepool.check.litmus.scenes.VersionWrap;
import tidepool.check.litmus.scenes.WriteSkew;
import tidepool.check.litmus.scenes.WriteSkewAtOnce;

/** All scenes, by name. */
final class Scenes {
    static final List<Scene> ALL = List.of(
            new WriteSkew(),
            new WriteSkewAtOnce(),
            new LostUpdate(),
            new Increments(),
            new ReadSkew(),
            new ReadSkewAtOnce(),
            new LongFork(),
            new DirtyRead(),
            new AbortedRead(),
            new StrictReader(StrictReader.Reads.ONE_KEY),
            new StrictReader(StrictReader.Reads.TWO_KEYS),
            new StrictReader(StrictReader.Reads.NEW_KEY),
            new PhantomInsert(),
            new PhantomDelete(),
            new TornValue(),
            new AbortStorm(),
            new InsertInsert(),
            new FullBucket(),
            new StaleAddress(),
            new MovedKey(),
            new FreshSlot(),
            new UndoneRead(),
            new Killed(),
            new TakenMeanwhile(),
            new LogSlotReuse());

    /** Only for protocols that are {@link NearTheEnd}. */
    static final Scene VERSION_WRAP = new VersionWrap();

    private Scenes() {}

    static Scene named(String name) {
        if (VERSION_WRAP.name().equals(name)) return VERSION_WRAP;
        for (Scene scene : ALL) if (scene.name().equals(name)) return scene;
        throw new IllegalArgumentException("no scene is called " + name);
    }
}
