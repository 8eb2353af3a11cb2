//! The state of all societies on a device.

use throng_device::cube::NONE;
use throng_device::cubecl::{self, prelude::*};
use throng_device::{Buffer, Device, DeviceError, KernelArrays};

use super::shape::Common;
use crate::society::MEMORY;

/// The agents' resources: `[society][agent][resource]`.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct Stock {
    pub held: Array<u32>,
    pub experience: Array<f64>,
    /// Value of a further unit when the agent last valued its stock.
    pub valued: Array<f64>,
}

/// Scalars of each agent: `[society][agent]`.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct Minutes {
    /// Utility per minute of the last extracted unit.
    pub gain_per_min: Array<f64>,
    pub set_aside: Array<f64>,
    pub overtime: Array<f64>,
    /// Utility gained today through devices.
    pub gained: Array<f64>,
    /// Clock at the end of the last day, minutes.
    pub clock: Array<f64>,
}

/// The agents' devices and their memory of them: `[kind][society][agent][resource]`.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct Owned {
    pub minutes: Array<f64>,
    pub experience: Array<f64>,
    pub to_make: Array<u32>,
    /// `[kind][memory][society][agent][resource]`.
    pub prices: Array<f64>,
    pub made: Array<u32>,
    /// Partners of the last days, in any order: `[kind][society][agent][place]`.
    pub partners: Array<u32>,
    /// Utility gained with these partners: `[kind][society][agent][place][memory]`.
    pub surplus: Array<f64>,
}

/// The recipes of devices.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct RecipeArrays {
    /// `[society][kind][resource][component]`, in the order of the recipe, followed by [`NONE`]; only [`NONE`]
    /// without a recipe.
    pub components: Array<u32>,
    /// Units of each resource in a device whose components are all made for it:
    /// `[society][kind][resource][resource]`.
    pub units: Array<u32>,
}

/// Meetings of agents in the market of a kind of device.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct Meetings {
    /// Pairs of a round: `[society][pair][2]`; [`NONE`] if there is no market.
    pub pairs: Array<u32>,
    /// The set of agents that each agent met today, one bit per agent: `[society][agent][word]`.
    pub met: Array<u32>,
    /// Whether a market takes place today: `[society]`.
    pub is_open: Array<u32>,
}

/// Random orders of agents.
pub struct OrderBuffers {
    /// Order in which agents meet for barter: `[society][round of the day][agent]`.
    pub partners: Buffer<u32>,
    /// Order in which agents invent: `[society][agent]`.
    pub inventors: Buffer<u32>,
}

/// The measurements of a day.
pub struct TodayBuffers {
    /// Utility of each agent today, yesterday and the day before: `[society][agent]`.
    pub utility: [Buffer<f64>; 3],
    /// Units extracted: `[society][agent][resource]`.
    pub extracted: Buffer<u32>,
    /// Units in stock before consumption: `[society][agent][resource]`.
    pub held: Buffer<u32>,
    /// Units in stock before consumption, summed over resources: `[society][agent]`.
    pub units_held: Buffer<u32>,
    /// Units extracted with each kind of device: `[kind][society][agent]`.
    pub units_with: Buffer<u32>,
    /// Units traded by each pair: `[society][pair]`.
    pub traded: Buffer<u32>,
}

/// All buffers of the societies.
pub struct Buffers {
    pub stock: StockBuffers,
    pub minutes: MinutesBuffers,
    pub owned: OwnedBuffers,
    pub recipes: RecipeArraysBuffers,
    pub meetings: MeetingsBuffers,
    pub orders: OrderBuffers,
    pub today: TodayBuffers,
}

/// Allocates buffers and sums their sizes.
struct Allocation<'d> {
    device: &'d Device,
    /// Sizes of the buffers allocated so far.
    bytes: Bytes,
}

/// Sizes of buffers, bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bytes {
    /// Total size.
    pub all: u64,
    /// Size of the largest buffer.
    pub largest: u64,
}

impl Bytes {
    fn add(&mut self, bytes: usize) {
        self.all += bytes as u64;
        self.largest = self.largest.max(bytes as u64);
    }
}

impl Allocation<'_> {
    // An empty buffer cannot be a kernel argument.
    fn zeros(&mut self, label: &str, len: usize) -> Result<Buffer<f64>, DeviceError> {
        self.bytes.add(8 * len);
        self.device.upload(label, &vec![0.0; len.max(1)])
    }

    fn words(&mut self, label: &str, len: usize, word: u32) -> Result<Buffer<u32>, DeviceError> {
        self.bytes.add(4 * len);
        self.device.upload(label, &vec![word; len.max(1)])
    }
}

impl Buffers {
    /// Allocates the state of societies before their first day and returns it with its sizes. `of_first` is the utility
    /// of the first unit of a resource in each society's parameter set.
    pub fn new(device: &Device, common: &Common, of_first: &[f64]) -> Result<(Self, Bytes), DeviceError> {
        let shape = common.shape;
        let societies = of_first.len();
        let (resources, kinds) = (shape.resources as usize, shape.kinds as usize);
        let agents = societies * shape.agents as usize;
        let stock = agents * resources;
        let pairs = societies * shape.agents as usize / 2;
        let partners = if kinds == 0 { 0 } else { shape.partners as usize };
        let own = kinds * stock;
        let recipes = societies * kinds * resources;
        let of_agents = shape.agents as usize * resources;
        let valued: Vec<f64> = of_first.iter().flat_map(|&first| std::iter::repeat_n(first, of_agents)).collect();
        let mut new = Allocation { device, bytes: Bytes::default() };
        new.bytes.add(8 * stock);
        let with_devices = |len: usize| if kinds == 0 { 0 } else { len };
        let buffers = Self {
            stock: StockBuffers {
                held: new.words("stock", stock, 0)?,
                experience: new.zeros("experience", stock)?,
                valued: device.upload("valued", &valued)?,
            },
            minutes: MinutesBuffers {
                gain_per_min: new.zeros("gain per minute", agents)?,
                set_aside: new.zeros("minutes", agents)?,
                overtime: new.zeros("minutes", agents)?,
                gained: new.zeros("gain", agents)?,
                clock: new.zeros("clock", agents)?,
            },
            owned: OwnedBuffers {
                minutes: new.zeros("devices", own)?,
                experience: new.zeros("experience", own)?,
                to_make: new.words("promises", own, 0)?,
                prices: new.zeros("prices", MEMORY * own)?,
                made: new.words("devices made", MEMORY * own, 0)?,
                partners: new.words("partners", kinds * agents * partners, NONE)?,
                surplus: new.zeros("surplus", kinds * agents * partners * MEMORY)?,
            },
            recipes: RecipeArraysBuffers {
                components: new.words("recipes", recipes * shape.components as usize, NONE)?,
                units: new.words("recipes", recipes * resources, 0)?,
            },
            meetings: MeetingsBuffers {
                pairs: new.words("pairs", with_devices(2 * pairs), NONE)?,
                met: new.words("meetings", with_devices(agents * shape.agent_words() as usize), 0)?,
                is_open: new.words("markets", with_devices(societies), 0)?,
            },
            orders: OrderBuffers {
                partners: new.words("partners", agents * common.rounds_of_day() as usize, 0)?,
                inventors: new.words("inventors", with_devices(agents), 0)?,
            },
            today: TodayBuffers {
                utility: [new.zeros("utility", agents)?, new.zeros("utility", agents)?, new.zeros("utility", agents)?],
                extracted: new.words("extracted", stock, 0)?,
                held: new.words("stock before consumption", stock, 0)?,
                units_held: new.words("units held", agents, 0)?,
                units_with: new.words("units extracted", shape.extracting as usize * agents, 0)?,
                traded: new.words("units traded", pairs, 0)?,
            },
        };
        Ok((buffers, new.bytes))
    }
}
