package tidepool.evidence.litmus;

import java.util.List;
import tidepool.evidence.litmus.scenes.AbortStorm;
import tidepool.evidence.litmus.scenes.AbortedRead;
import tidepool.evidence.litmus.scenes.DirtyRead;
import tidepool.evidence.litmus.scenes.FreshSlot;
import tidepool.evidence.litmus.scenes.FullBucket;
import tidepool.evidence.litmus.scenes.Increments;
import tidepool.evidence.litmus.scenes.InsertInsert;
import tidepool.evidence.litmus.scenes.Killed;
import tidepool.evidence.litmus.scenes.LogSlotReuse;
import tidepool.evidence.litmus.scenes.LongFork;
import tidepool.evidence.litmus.scenes.LostUpdate;
import tidepool.evidence.litmus.scenes.MovedKey;
import tidepool.evidence.litmus.scenes.PhantomDelete;
import tidepool.evidence.litmus.scenes.PhantomInsert;
import tidepool.evidence.litmus.scenes.ReadSkew;
import tidepool.evidence.litmus.scenes.ReadSkewAtOnce;
import tidepool.evidence.litmus.scenes.StaleAddress;
import tidepool.evidence.litmus.scenes.StrictReader;
import tidepool.evidence.litmus.scenes.TakenMeanwhile;
import tidepool.evidence.litmus.scenes.TornValue;
import tidepool.evidence.litmus.scenes.UndoneRead;
import tidepool.evidence.litmus.scenes.VersionWrap;
import tidepool.evidence.litmus.scenes.WriteSkew;
import tidepool.evidence.litmus.scenes.WriteSkewAtOnce;

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
